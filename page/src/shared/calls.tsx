import { useState } from 'preact/hooks'
import { CopyBox } from './copy-box.tsx'
import { curlOf } from './curl.ts'
import { Failure } from './failure.tsx'
import { typeScriptOf } from './typescript.ts'
import { useLoaded } from './hooks.ts'

/** A method of the client and what it was given. */
export type Made = { method: string; args: unknown[]; isStream?: boolean }

const languages = { curl: curlOf, TypeScript: async (made: Made) => typeScriptOf(made) }
type Language = keyof typeof languages

/** Unless it is the very call that the page made, the heading says so. */
type Props = Made & { heading?: string }

export const anExample = 'An example from a program'

/** The call that stands behind a part of the page, to copy into a shell or a program. */
export function Calls({ heading = 'The same from a program', ...made }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="calls" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{heading}</summary>
      {isOpen && <Shown {...made} />}
    </details>
  )
}

function Shown(made: Made) {
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
