import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const partSchema = z.looseObject({
  toolCallId: z.string(),
  kind: text,
  content: z
    .array(z.looseObject({ content: z.looseObject({ text }).optional().catch(undefined) }))
    .optional()
    .catch(undefined),
})

type Part = z.infer<typeof partSchema>

/** A message on a call whose id is made of the name of its tool, as others tell it. The title is what the model put into it. */
export function namedById(message: unknown): unknown {
  const { data: part } = partSchema.safeParse(message)
  if (part === undefined) return message
  const [, name] = /^(.+?)(?:__|-\d+-\d+$)/.exec(part.toolCallId) ?? []
  return { ...part, name, ...(part.kind === 'execute' ? inputIn(part) : { title: undefined }) }
}

/** A request for permission tells the directory of a command, where the model gave one, in words alone. */
function inputIn({ content }: Part): object {
  const words = content?.[0]?.content?.text ?? ''
  const [, cwd] = /^\[in ([^\]]+)\](?: [([]|$)/.exec(words) ?? []
  return { rawInput: cwd === undefined ? {} : { cwd } }
}
