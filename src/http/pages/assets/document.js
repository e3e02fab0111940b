// Shows a document on /document#<datastore>/<datasource>, to which assistants link.
const element = (id) => document.querySelector(`#${id}`)
const form = element('give-key')
const input = form.querySelector('input')
const kept = 'key'

form.addEventListener('submit', (event) => {
  event.preventDefault()
  window.sessionStorage.setItem(kept, input.value.trim())
  void show()
})
window.addEventListener('hashchange', () => void show())
void show()

async function show() {
  clear()
  const [datastore, datasource] = window.location.hash.slice(1).split('/')
  if (!datastore || !datasource) return say('The address names no document.')
  const key = window.sessionStorage.getItem(kept)
  if (!key) return askForKey('Give a key that may read datastores.')
  const path = `datastores/${datastore}/datasources/${datasource}`
  const asked = window.location.hash
  const answer = await answerTo(path, key)
  // Another one was asked for meanwhile.
  if (asked !== window.location.hash) return
  if (answer.status === 401) window.sessionStorage.removeItem(kept)
  if (answer.problem) askForKey(answer.problem)
  else display(answer.body)
}

async function answerTo(path, key) {
  try {
    const answer = await fetch(path, { headers: { authorization: `Bearer ${key}` } })
    const body = await answer.json()
    return { status: answer.status, body, problem: answer.ok ? undefined : body.detail }
  } catch {
    return { problem: 'The server did not answer, or the key cannot be sent.' }
  }
}

function display({ id, name, source, text, metadata, updatedAt }) {
  const title = name || source || id
  element('title').textContent = title
  document.title = title
  const about = { ...metadata, updated: updatedAt }
  for (const [term, value] of Object.entries(about)) describe(term, value)
  element('text').textContent = text
  element('text').hidden = false
}

function describe(term, value) {
  const name = document.createElement('dt')
  name.textContent = term
  const described = document.createElement('dd')
  described.textContent = typeof value === 'string' ? value : JSON.stringify(value)
  element('about').append(name, described)
}

function clear() {
  say('')
  form.hidden = true
  element('title').textContent = 'A document'
  element('about').replaceChildren()
  element('text').hidden = true
}

function askForKey(why) {
  say(why)
  form.hidden = false
  input.value = ''
  input.focus()
}

function say(text) {
  element('state').textContent = text
}
