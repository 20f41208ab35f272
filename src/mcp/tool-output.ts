import type { Client } from '@modelcontextprotocol/client'

/** A part of a tool's output. `data` is base64. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }

export interface ToolOutput {
  readonly text: string
  readonly parts: readonly ToolPart[]
  readonly isError: boolean
}

type Result = Awaited<ReturnType<Client['callTool']>>

export function toolOutputOf({ content, structuredContent, isError = false }: Result): ToolOutput {
  const given = content.flatMap(contentParts)
  const isBare = given.length === 0 && structuredContent !== undefined
  const parts = isBare ? [textPart(JSON.stringify(structuredContent))] : given
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { text: texts.join('\n'), parts, isError }
}

function contentParts(part: Result['content'][number]): readonly ToolPart[] {
  switch (part.type) {
    case 'text':
      return [textPart(part.text)]
    case 'image':
    case 'audio':
      return [{ type: part.type, data: part.data, mimeType: part.mimeType }]
    case 'resource_link':
      return [textPart(part.uri)]
    case 'resource':
      return 'text' in part.resource ? [textPart(part.resource.text)] : []
    default:
      return part satisfies never
  }
}

export function textPart(text: string): ToolPart {
  return { type: 'text', text }
}
