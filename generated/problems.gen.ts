// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type { ProblemCode } from './types.gen.ts'

export type ProblemKind = { status: number; title: string; meaning: string; remedy: string }

export const problems: Record<ProblemCode, ProblemKind> = {
  "invalid_request": {
    "status": 400,
    "title": "Invalid request",
    "meaning": "A part of the request breaks a rule of this contract. `errors` names each one.",
    "remedy": "Mend what `errors` names and send it again."
  },
  "unauthenticated": {
    "status": 401,
    "title": "No valid key",
    "meaning": "No key was sent, or the one sent is not valid.",
    "remedy": "Send `Authorization: Bearer <key>` with a key of this server."
  },
  "insufficient_scope": {
    "status": 403,
    "title": "Scope missing",
    "meaning": "The key is valid and lacks the scope that the operation needs.",
    "remedy": "Use a key with the scope that `detail` names."
  },
  "unknown_path": {
    "status": 404,
    "title": "Unknown path",
    "meaning": "The service has no such path.",
    "remedy": "Compare the path with this contract; a slash at the end counts, and so do two in a row."
  },
  "not_found": {
    "status": 404,
    "title": "Not found",
    "meaning": "There is no such thing in the workspace of the key.",
    "remedy": "Check the identifier; it may have been deleted."
  },
  "method_not_allowed": {
    "status": 405,
    "title": "Method not allowed",
    "meaning": "The path is known and does not take this method.",
    "remedy": "Use one of the methods in the `Allow` header."
  },
  "embedding_model_mismatch": {
    "status": 409,
    "title": "Another embedding model",
    "meaning": "The datastore holds vectors of one embedder, and the server runs with another, or with other prefixes. They cannot be compared. Nothing was done.",
    "remedy": "Start the server with the embedder and the prefixes that `detail` names, or `export` the datastore and `import` it under another name."
  },
  "precondition_failed": {
    "status": 412,
    "title": "Changed meanwhile",
    "meaning": "It has changed since the `ETag` in `If-Match`, or is not there; or it is there, and `If-None-Match` asks for nothing. Nothing was done.",
    "remedy": "Get it again, look at what changed, and repeat with its new, strong `ETag`."
  },
  "payload_too_large": {
    "status": 413,
    "title": "Body too large",
    "meaning": "The body is larger than the operation takes, or its metadata has too many values for texts so long.",
    "remedy": "Send fewer documents, shorter values, or less metadata, in one request."
  },
  "unsupported_media_type": {
    "status": 415,
    "title": "Unsupported media type",
    "meaning": "The body is not `application/json`, names a charset other than UTF-8, or is compressed; or a file is by its content of no kind that is read.",
    "remedy": "Send plain JSON with `Content-Type: application/json`, or a file of a kind that is read."
  },
  "idempotency_mismatch": {
    "status": 422,
    "title": "Idempotency-Key used before",
    "meaning": "The `Idempotency-Key` was used in this datastore for other documents. Nothing was stored.",
    "remedy": "Use a new key for new documents; repeat a request exactly as it was."
  },
  "no_text": {
    "status": 422,
    "title": "No text in the file",
    "meaning": "The file has no text, such as a scan, which is pictures alone. Nothing was stored.",
    "remedy": "Have its text recognised (OCR), and send that."
  },
  "unreadable_file": {
    "status": 422,
    "title": "Unreadable file",
    "meaning": "The file is broken, encrypted, or takes more time or memory to read than a file may. Nothing was stored.",
    "remedy": "Open it in the program it was made with, save it anew without a password, and send that."
  },
  "client_timeout": {
    "status": 408,
    "title": "Request not received",
    "meaning": "The request did not arrive whole in time.",
    "remedy": "Send it again, faster."
  },
  "expectation_failed": {
    "status": 417,
    "title": "Expectation failed",
    "meaning": "The server knows no `Expect` but `100-continue`.",
    "remedy": "Leave the header `Expect` out."
  },
  "header_too_large": {
    "status": 431,
    "title": "Headers too large",
    "meaning": "The request line and headers are larger than the server takes.",
    "remedy": "Send fewer or shorter headers, or a shorter path."
  },
  "internal": {
    "status": 500,
    "title": "Internal error",
    "meaning": "A fault of the server.",
    "remedy": "Try again; if it stays, give the operator the `requestId`."
  },
  "embedding_failed": {
    "status": 502,
    "title": "Embedding provider failed",
    "meaning": "The embedding provider could not be reached, refused, or answered with something that is no embedding. Nothing was stored.",
    "remedy": "Try again after the seconds in `Retry-After`; if it stays, the operator should look at the provider's settings. Without `Retry-After` the provider refuses a text, most often because it is too long for the model; `detail` says where it stands. Use a smaller `fragmentLength`."
  },
  "chat_failed": {
    "status": 502,
    "title": "Chat provider failed",
    "meaning": "The provider of the chat model could not be reached, refused, or answered with something that is no answer. Nothing was stored.",
    "remedy": "Try again after the seconds in `Retry-After`; if it stays, or without `Retry-After`, the operator should look at the provider's settings."
  },
  "unavailable": {
    "status": 503,
    "title": "Unavailable",
    "meaning": "The server cannot work now, or what was sent cannot be stored now. Nothing was stored.",
    "remedy": "Try again after the seconds in `Retry-After`. Meanwhile agents answer questions that are sent with `store` as false."
  },
  "too_many_requests": {
    "status": 429,
    "title": "Too many requests of the workspace",
    "meaning": "As many writes, queries, questions or files of the key's workspace are waiting as one workspace may have, or as many bytes of them, or of answers that are not read. Other workspaces are served. Nothing was stored.",
    "remedy": "Try again after the seconds in `Retry-After`, with fewer requests at once. Read each answer."
  },
  "overloaded": {
    "status": 503,
    "title": "Too many requests",
    "meaning": "As many writes, queries, questions or files of all workspaces are waiting as the server can hold, or as many bytes. Nothing was stored.",
    "remedy": "Try again after the seconds in `Retry-After`, with fewer requests at once."
  },
  "request_timeout": {
    "status": 504,
    "title": "Request took too long",
    "meaning": "It took longer than the server allows a request. Nothing was stored.",
    "remedy": "Try again later, with fewer documents."
  },
  "embedding_timeout": {
    "status": 504,
    "title": "Embedding provider too slow",
    "meaning": "The embedding provider did not answer in time. Nothing was stored.",
    "remedy": "Try again later, or with fewer documents."
  },
  "chat_timeout": {
    "status": 504,
    "title": "Chat provider too slow",
    "meaning": "The provider of the chat model did not answer in time. Nothing was stored.",
    "remedy": "Try again later, or with a shorter question."
  },
  "storage_full": {
    "status": 507,
    "title": "Storage full",
    "meaning": "There is no room left to store this. Nothing was stored.",
    "remedy": "Delete what is no longer needed, or give the server more room."
  }
}
