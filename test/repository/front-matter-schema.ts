import { z } from 'zod'
import { specAgentNames } from '../../src/agents/registry.ts'
import { keys as ownKeys } from '../../src/spec/front-matter/read-front-matter.ts'

/** What each key is for; what its value looks like is added. A new key is a type error until it stands here. */
const purposes: Readonly<Record<keyof typeof ownKeys, string>> = {
  dialect: 'Whose test cases the spec holds.',
  title: 'Title of the spec where it has no H1.',
  agent: 'Who carries out the prose; `none` for nobody.',
  tags: 'Tags of all tests of the spec.',
  timeout: "Limit of one scenario's agent.",
  'silence-timeout': 'Limit without a sign of life of the agent.',
  'max-cost-usd': "What one scenario's agent may cost.",
  'max-tokens': "Tokens, in and out together, that one scenario's agent may use.",
  include: 'Files whose setup, steps and teardown the spec takes over.',
  requires: 'What has to be there, else the spec is skipped.',
  'side-effects': 'Whether the spec changes something outside: it then runs alone.',
  repeats: 'How often each scenario is run.',
  require: 'How many of `repeats` a step has to pass; all by default.',
  replay: 'When the recording beside the spec takes the place of the agent.',
  reproduce: 'Whether what the agent did is repeated without it before a pass counts.',
  'after-failure': 'Whether the commands, blocks and steps behind a failure are run as well.',
  watch: 'Files whose change runs the spec again in watch mode.',
  env: 'Variables for blocks and agent.',
  cwd: 'Where blocks and agent work: in the suite root (default), a fresh folder, or a copy of the root for each scenario.',
  writes: 'Files that the agent may change although git tracks them.',
  'base-url': 'Where the web application of a browser spec is.',
  'secret-origins': 'Origins besides that of `base-url` at which a secret may be typed, and a link of a mail opened.',
  totp: 'One-time codes by their names, and the variables with the secrets that they are made of.',
  mailbox: 'Address of MailDev or Mailpit, for mails that the application sends.',
  'ignore-https-errors': 'Whether the browser opens pages whose certificate nobody vouches for.',
  login: 'Whose browser the steps act in, and where cookies and storage of users are saved.',
  'mcp-servers': 'Further MCP servers for the agent, besides those of the options.',
  allow: 'What the agent may do without asking, besides what the options allow.',
  network: 'Whether commands of the agent may use the network, where its sandbox can forbid it.',
  executor: 'Who executes the product: mdtest alone, the agent, or mdtest wherever that can be had.',
  sandbox: 'Whether the process of an agent is in a sandbox where mdtest executes.',
  'min-assurance': 'The weakest assurance that passes.',
}

/** Where front matter means more, or less, than the checks of a single value say. */
const written: Readonly<Record<string, z.ZodType>> = {
  agent: z.enum(specAgentNames),
  // Numbers and booleans are taken as they are written.
  env: z.record(ownKeys.env.schema.keyType, z.union([z.string(), z.number(), z.boolean()])),
}

/** The JSON schema of the front matter, as editors understand it. */
export function frontMatterSchema(): z.core.JSONSchema.JSONSchema {
  const keys = Object.entries(ownKeys).map(([name, key]) => {
    const purpose = purposes[name as keyof typeof ownKeys] // a key of the same object
    return [name, { ...key, purpose }] as const
  })
  const shape = keys.map(([name, { schema, form, purpose }]) => {
    const value = written[name] ?? schema
    return [
      name,
      value.meta({ description: `${purpose} ${form[0]?.toUpperCase()}${form.slice(1)}.` }).optional(),
    ] as const
  })
  const { $schema = 'http://json-schema.org/draft-07/schema#', ...schema } = z.toJSONSchema(
    z.strictObject(Object.fromEntries(shape)),
    {
      target: 'draft-7',
      io: 'input',
    },
  )
  return {
    $schema,
    title: 'Front matter of a spec of vitest-mdtest',
    ...schema,
    // Keys of others.
    patternProperties: { '^x-': {} },
  }
}
