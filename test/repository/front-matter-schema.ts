import { z } from 'zod'
import { specAgentNames } from '../../src/agents/registry.ts'
import { keys as ownKeys } from '../../src/spec/front-matter/front-matter-keys.ts'

/** What each key is for; what its value looks like is added. A new key is a type error until it stands here. */
const purposes: Readonly<Record<keyof typeof ownKeys, string>> = {
  dialect: 'The tool whose format the spec has.',
  title: 'Title of a spec that has no H1.',
  agent: 'The agent that carries out the prose; `none` for no agent.',
  tags: 'Tags of all tests of the spec.',
  timeout: 'Time limit of the agent in one scenario.',
  'silence-timeout': 'Time limit without a sign of life of the agent.',
  'max-cost-usd': 'Cost limit of the agent in one scenario.',
  'max-tokens': 'Token limit of the agent in one scenario, input plus output.',
  include: 'Files whose setup, steps and teardown become part of the spec.',
  requires: 'What has to be available: otherwise the spec is skipped.',
  'side-effects': 'Whether the spec changes a shared database or account: it then runs alone.',
  repeats: 'How often each scenario runs.',
  require: 'In how many of the `repeats` a step has to pass; in all by default.',
  replay: 'When the recording beside the spec replaces the agent.',
  reproduce: 'Whether mdtest repeats the commands of the agent before a pass counts.',
  'after-failure': 'Whether the commands, blocks and steps after a failure still run.',
  watch: 'Files that run the spec again in watch mode when they change.',
  env: 'Variables for blocks and agent.',
  cwd: 'Where blocks and agent work: in the suite root (default), or for each scenario in an empty folder or a copy.',
  writes: 'Files that the agent may change although git tracks them.',
  'base-url': 'Address of the web application of a browser spec.',
  'secret-origins': 'Origins, besides that of `base-url`, where the agent may type secrets and open links from mails.',
  totp: 'Names of one-time codes, each with the variable that contains its secret.',
  mailbox: "Address of MailDev or Mailpit, which receives the application's mails.",
  'ignore-https-errors': 'Whether the browser opens pages with an untrusted certificate.',
  login: 'User for the browser of the steps, and the files with saved logins.',
  'mcp-servers': 'MCP servers for the agent, in addition to those of the options.',
  allow: 'What the agent may do without asking, in addition to the option.',
  network: 'Whether commands of the agent may use the network, which only the sandbox of Codex can forbid.',
  executor: 'Who runs the product: mdtest alone, the agent, or mdtest if that is possible.',
  sandbox: 'Whether the agent runs in a sandbox while mdtest runs the product.',
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
