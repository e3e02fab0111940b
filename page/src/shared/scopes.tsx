import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Scope } from '../../../client/src/index.ts'

export const scopesInWords: Record<Scope, string> = {
  'agents:read': 'see agents and conversations',
  'agents:write': 'make and change agents',
  'agents:query': 'ask agents',
  'datastores:read': 'read documents and search',
  'datastores:write': 'put documents in and delete them',
  'keys:admin': 'make and revoke keys',
  'metrics:read': 'see how the server is used',
}

/** What the key of this page may do. Until that is known, everything. */
export const ScopesContext = createContext<string[]>(Object.values(Scope))

export const useMay = (scope: Scope): boolean => useContext(ScopesContext).includes(scope)

/** What only a key of this scope may do. With another one it says so instead. */
export function Needs({ scope, children }: { scope: Scope; children: ComponentChildren }) {
  if (useMay(scope)) return <>{children}</>
  return (
    <p class="quiet">
      This key may not {scopesInWords[scope]}: it lacks the scope {scope}.
    </p>
  )
}
