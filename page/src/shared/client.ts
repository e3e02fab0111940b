import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { AgentsDatastores } from '../../../client/src/index.ts'

/** Where this page was served, which is behind any prefix the address of the API. */
export const baseUrl = new URL('.', window.location.href).href.replace(/\/$/, '')

export const clientOf = (apiKey: string, settings: { fetch?: typeof fetch } = {}) =>
  new AgentsDatastores({ baseUrl, apiKey, ...settings })

export const ClientContext = createContext(clientOf(''))

export const useClient = (): AgentsDatastores => useContext(ClientContext)
