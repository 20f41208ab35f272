import type { Conversation } from './conversation.ts'
import { anthropicMessage, chatMessage, googleMessage, openaiMessage } from './model-message.ts'
import { anthropicEvents, openaiEvents, type ModelAnswer, type WireEvent } from './model-reply.ts'
import { readAnthropic, readChat, readGoogle, readOpenai } from './read-request.ts'

type Json = Record<string, unknown>
type Asked = Parameters<typeof openaiMessage>[1]

/** How one provider's requests are read and answered, in one piece or as server-sent events. */
interface WireFormat {
  read(body: Json): Conversation
  message(answer: ModelAnswer, asked: Asked): Json
  events(answer: ModelAnswer, asked: Asked): readonly WireEvent[]
}

/** The format that is spoken at a path; Azure speaks OpenAI's at its own. */
export function findWireFormat(path: string): WireFormat | undefined {
  const googleModel = /\/models\/([^/]+):generateContent$/.exec(path)?.[1]
  if (googleModel !== undefined) return { ...google, read: (body) => readGoogle(body, googleModel) }
  return Object.entries(formats).find(([end]) => path.endsWith(end))?.[1]
}

const notStreamed = (): never => {
  throw new Error('nobody asks for this format as a stream')
}

const google = { message: googleMessage, events: notStreamed }

const formats: Readonly<Record<string, WireFormat>> = {
  '/messages': {
    read: readAnthropic,
    message: anthropicMessage,
    events: (answer, { model, id }) => anthropicEvents(model, answer, id),
  },
  '/responses': {
    read: readOpenai,
    message: openaiMessage,
    events: (answer, { model, id }) => openaiEvents(model, answer, id),
  },
  '/chat/completions': { read: readChat, message: chatMessage, events: notStreamed },
}
