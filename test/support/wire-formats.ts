import type { Conversation } from './conversation.ts'
import { anthropicMessage, chatChunks, chatMessage, googleMessage, openaiMessage } from './model-message.ts'
import { anthropicEvents, openaiEvents, type ModelAnswer, type WireEvent } from './model-reply.ts'
import { readAnthropic, readChat, readGoogle, readOpenai } from './read-request.ts'

type Json = Record<string, unknown>
type Asked = Parameters<typeof openaiMessage>[1]

/** How one provider's requests are read and answered, in one piece or as server-sent events. */
interface WireFormat {
  /** Whether the path alone asks for a stream. */
  readonly isStreamed?: boolean
  read(body: Json): Conversation
  message(answer: ModelAnswer, asked: Asked): Json
  /** Server-sent events, as they go over the wire. */
  events(answer: ModelAnswer, asked: Asked): readonly string[]
}

/** The format that is spoken at a path; Azure speaks OpenAI's at its own. */
export function findWireFormat(path: string): WireFormat | undefined {
  const googleModel = /\/models\/([^/]+):(?:streamGenerate|generate)Content$/.exec(path)?.[1]
  if (googleModel !== undefined) {
    const isStreamed = path.endsWith(':streamGenerateContent')
    return { ...google, read: (body) => readGoogle(body, googleModel), ...(isStreamed && { isStreamed }) }
  }
  return Object.entries(formats).find(([end]) => path.endsWith(end))?.[1]
}

const google = {
  message: googleMessage,
  events: (answer: ModelAnswer, asked: Asked) => [dataLine(JSON.stringify(googleMessage(answer, asked)))],
}

const formats: Readonly<Record<string, WireFormat>> = {
  '/messages': {
    read: readAnthropic,
    message: anthropicMessage,
    events: (answer, { model, id }) => anthropicEvents(model, answer, id).map(typedEvent),
  },
  '/responses': {
    read: readOpenai,
    message: openaiMessage,
    events: (answer, { model, id }) => openaiEvents(model, answer, id).map(typedEvent),
  },
  '/chat/completions': {
    read: readChat,
    message: chatMessage,
    events: (answer, asked) => [
      ...chatChunks(answer, asked).map((chunk) => dataLine(JSON.stringify(chunk))),
      dataLine('[DONE]'),
    ],
  },
}

function typedEvent(event: WireEvent): string {
  return `event: ${event.type}\n${dataLine(JSON.stringify(event))}`
}

function dataLine(data: string): string {
  return `data: ${data}\n\n`
}
