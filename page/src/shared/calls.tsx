import { useState } from 'preact/hooks'
import { CopyBox } from './copy-box.tsx'
import { curlOf } from './curl.ts'
import { Failure } from './failure.tsx'
import { typeScriptOf } from './typescript.ts'
import { useLoaded } from './hooks.ts'

/** A method of the client and its arguments. */
export type ApiCall = { method: string; args: unknown[]; isStream?: boolean }

const languages = { curl: curlOf, TypeScript: async (made: ApiCall) => typeScriptOf(made) }
type Language = keyof typeof languages

/** The heading says so if the page did not make this call. */
type Props = ApiCall & { heading?: string }

export const anExample = 'An example from a program'

/** A call of the API, to copy into a shell or a program. */
export function Calls({ heading = 'The same from a program', ...made }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="calls" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{heading}</summary>
      {isOpen && <Shown {...made} />}
    </details>
  )
}

function Shown(made: ApiCall) {
  const [language, setLanguage] = useState<Language>('curl')
  const { value, error } = useLoaded(
    () => languages[language](made),
    [language, JSON.stringify(made)],
  )
  return (
    <>
      <div role="group" aria-label="Language" class="row">
        {(Object.keys(languages) as Language[]).map((one) => (
          <button key={one} aria-pressed={one === language} onClick={() => setLanguage(one)}>
            {one}
          </button>
        ))}
      </div>
      <p class="quiet">
        It reads your key from <code>API_KEY</code>: first run <code>export API_KEY=ads_…</code>
      </p>
      {language === 'TypeScript' && (
        <p class="quiet">
          Its client is packed where the server's source is, by{' '}
          <code>npm run pack:client -- DIR</code>. In your project, run{' '}
          <code>npm install DIR/agents-datastores-client-*.tgz</code>
        </p>
      )}
      <Failure error={error} />
      {value && <CopyBox text={value} name="The call" />}
    </>
  )
}
