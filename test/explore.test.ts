import { cp, rm, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import * as sdk from '/work/a/generated/sdk.gen.ts'
import { damageFile, replaceTable, type Part } from '/work/a/test/support/damages.ts'
import { Random } from '/work/a/test/support/random.ts'
import { openServer, temporaryDirectory } from '/work/a/test/support/server.ts'
import { makeAgent, makeDatastore, makeKey, query, upsert } from '/work/a/test/support/things.ts'
test('explore', async () => {
  const dataUri = await temporaryDirectory()
  let s = await openServer({ dataUri })
  const ids: string[] = []
  const add = async () => { const id = await makeDatastore(s.client); ids.push(id); await upsert(s.client, id, ...Array.from({length: 70},(_, n) => `Text ${n} of ${ids.length}.`)); await makeAgent(s.client); await makeKey(s.client) }
  await add(); await s.close()
  const older = await temporaryDirectory(); await cp(dataUri, older, { recursive: true })
  s = await openServer({ dataUri }); await add(); await add(); await upsert(s.client, ids[0]!, 'late'); await s.close()
  const view = async (c: typeof s.client) => {
    const out: string[] = []
    const ds = await sdk.listDatastores({ client: c }); out.push('ds ' + (ds.data ? ds.data.data.map(d=>d.datasourceCount).join() : ds.response?.status))
    const ag = await sdk.listAgents({ client: c }); out.push('ag ' + (ag.data?.data.length ?? ag.response?.status))
    const ks = await sdk.listKeys({ client: c }); out.push('keys ' + (ks.data?.data.length ?? ks.response?.status))
    for (const id of ids) { for (const mode of ['vector','keyword','hybrid'] as const) { const q = await sdk.queryDatastore({ client: c, path: { id }, body: { query: 'Text 5', topK: 50, mode } }); out.push(mode[0] + (q.data?.length ?? q.response?.status)) } 
      const l = await sdk.listDatasources({client: c, path: {id}, query: {limit: 100}}); out.push('l' + (l.data?.data.length ?? l.response?.status)) }
    return out.join(' ')
  }
  const only = process.env.ONLY
  for (const table of ['store','datastores','agents','keys',`fragments_${ids[0]}`]) for (const kind of ['missing','older','data','_versions','_indices']) {
    if (kind === '_indices' && !table.startsWith('frag')) continue
    if (only && !`${table} ${kind}`.includes(only)) continue
    for (let seed = 1; seed <= (kind.length <= 5 && kind !== 'data' ? 1 : kind==='missing'?1: Number(process.env.SEEDS ?? 4)); seed++) {
      const copy = await temporaryDirectory(); await cp(dataUri, copy, { recursive: true })
      const folder = join(copy, `${table}.lance`)
      if (kind === 'missing') await rm(folder, { recursive: true })
      else if (kind === 'older') await replaceTable(copy, table, older)
      else await damageFile(folder, kind as Part, new Random(seed))
      let text = ''
      try { const t = await openServer({ dataUri: copy }); text = await view(t.client); await t.close(); text += '\n      LOG ' + t.logged.filter(l => Number(l.level) > 30).map(l => `${l.msg} ${l.next ?? ''}`.slice(0, 130) + ' | ' + ((l.err as {message?:string})?.message ?? '').slice(0,250)).filter((v,i,a)=>a.indexOf(v)===i).join('\n          ') }
      catch (e) { text = 'REFUSED ' + (e as Error).name + ' ' + (e as Error).message.slice(0, 400) }
      console.log(table.slice(0,12), kind, seed, '\n   ', text)
    }
  }
}, 400_000)
