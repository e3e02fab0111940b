import { type Datastore, Scope } from '../../client/src/index.ts'
import { Ask } from './ask/ask.tsx'
import { type Conversations, useConversations } from './ask/conversation.ts'
import { useChosenDatastore } from './use-chosen-datastore.ts'
import { DatastoreChoice } from './datastore-choice.tsx'
import { Documents } from './documents/documents.tsx'
import { type UploadLists, useUploadLists } from './documents/upload-lists.ts'
import { Keys } from './keys/keys.tsx'
import { Search } from './search/search.tsx'
import { allOf } from './shared/all-of.ts'
import { useClient } from './shared/client.ts'
import { Failure } from './shared/failure.tsx'
import { Needs, ScopesContext } from './shared/scopes.tsx'
import { hrefOf, type Pane, panes, type Route, useRoute } from './shared/route.ts'
import { useLoaded } from './shared/hooks.ts'
import { Start } from './start.tsx'

const titles: Record<Pane, string> = {
  ask: 'Ask',
  search: 'Search',
  documents: 'Documents',
  keys: 'Keys',
}

/** What a key opens: the datastores, and of the chosen one what can be done with it. */
export function Workbench({ isSending }: { isSending: { current: boolean } }) {
  const client = useClient()
  const route = useRoute()
  const {
    value: listed,
    error,
    again,
  } = useLoaded(
    async (signal) => {
      const data = await allOf(client.listDatastores({ limit: 100 }, { signal }))
      return { data, sought: route.datastore }
    },
    [route.datastore],
  )
  const value = listed?.data
  const { value: key } = useLoaded((signal) => client.getCurrentKey({ signal }), [])
  const conversations = useConversations()
  const uploadLists = useUploadLists(again, isSending)
  const { chosen, gone } = useChosenDatastore(route, listed)
  return (
    <ScopesContext.Provider value={key?.scopes ?? Object.values(Scope)}>
      <section class="choices" aria-label="Datastore and part">
        {value && <DatastoreChoice datastores={value} route={route} />}
        <nav aria-label="Parts">
          {panes.map((pane) => (
            <a
              key={pane}
              href={hrefOf({ pane, datastore: route.datastore })}
              aria-current={pane === route.pane ? 'page' : undefined}
            >
              {titles[pane]}
            </a>
          ))}
        </nav>
      </section>
      <main tabIndex={-1}>
        {route.pane !== 'keys' && <Failure error={error} again={again} />}
        {gone && chosen && (
          <p role="status">
            The datastore <bdi>{gone}</bdi> is gone. This is another one: <bdi>{chosen.name}</bdi>.
          </p>
        )}
        {route.pane === 'keys' ? (
          <Needs scope="keys:admin">
            <Keys />
          </Needs>
        ) : (
          <Chosen {...{ route, value, chosen, conversations, uploadLists }} onChange={again} />
        )}
      </main>
    </ScopesContext.Provider>
  )
}

type ChosenProps = {
  route: Route
  value?: Datastore[]
  chosen?: Datastore
  conversations: Conversations
  uploadLists: UploadLists
  onChange: () => void
}

function Chosen({ route, value, chosen, conversations, ...further }: ChosenProps) {
  if (value?.length === 0) return <Start />
  if (!chosen) return null
  if (route.pane === 'documents') {
    return <Documents key={chosen.id} datastore={chosen} {...further} />
  }
  return (
    <>
      {chosen.datasourceCount === 0 && (
        <p>
          Nothing is in this datastore yet:{' '}
          <a href={hrefOf({ pane: 'documents', datastore: chosen.id })}>put documents in</a>
        </p>
      )}
      {route.pane === 'search' ? (
        <Search key={chosen.id} datastore={chosen} />
      ) : (
        <Ask
          key={chosen.id}
          datastore={chosen}
          conversations={conversations}
          question={route.question}
        />
      )}
    </>
  )
}
