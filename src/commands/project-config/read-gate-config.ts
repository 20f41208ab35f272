import { codingAgentNames } from '../../agents/registry.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { MdtestError } from '../../system/mdtest-error.ts'
import { gateConfigSchema, planningConfigSchema, resolveCommands, type GateConfig, gateNames } from './gate-config.ts'
import { mcpServersForm } from '../../spec/front-matter/schemas.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { errorCode, messageOf } from '../../system/error-facts.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'

const ownFile = 'mdtest.config.json'
/** Read where there is no file of ours. */
const planningFile = '.planning/config.json'

const example = '{ "commands": { "compile": "npx tsc --noEmit", "lint": null, "test": "npm test" } }'

interface Place {
  readonly root: string
  /** Absolute path of a file that was asked for. */
  readonly file?: string | undefined
}

/**
 * Reads which commands are the gates of a project; `undefined` where no file says so.
 *
 * @throws MdtestError `OPTION_CONFIG_INVALID`, `OPTION_CONFIG_MISSING` for a file that was asked for
 */
export async function findGateConfig({ root, file }: Place): Promise<GateConfig | undefined> {
  for (const path of file === undefined ? [join(root, ownFile), join(root, planningFile)] : [file]) {
    const text = await readText(path)
    if (text === undefined) continue
    const json = parseJson(text, path)
    // A file for others need not say anything of gates.
    if (path === join(root, planningFile) && file === undefined && !hasPlanned(json)) continue
    return toGateConfig(json, path)
  }
  if (file !== undefined) throw missing(`There is no file ${file}.`)
  return undefined
}

/**
 * The same where a project has to have one.
 *
 * @throws MdtestError `OPTION_CONFIG_INVALID`, `OPTION_CONFIG_MISSING`
 */
export async function readGateConfig(place: Place): Promise<GateConfig> {
  const config = await findGateConfig(place)
  if (config !== undefined) return config
  throw missing(
    `There is no \`${ownFile}\` in ${place.root}, which says what commands are the gates (\`project.commands\` of \`${planningFile}\` would do, too).`,
  )
}

function toGateConfig(json: unknown, file: string): GateConfig {
  if (hasPlanned(json)) {
    const { commands } = check(planningConfigSchema, json, file).project
    if (Object.keys(commands).length > 0 || Object.keys(json.project.commands).length === 0) {
      return { file, commands: resolveCommands(commands), allow: [], mayChange: [], protect: [], mcpServers: {} }
    }
    throw invalid(`${file}: \`project.commands\` has none of ${gateNames.join(', ')}.`)
  }
  const {
    commands,
    tests,
    agent,
    allow = [],
    mayChange = [],
    protect = [],
    mcpServers = {},
    executionLog,
  } = check(gateConfigSchema, json, file)
  const optional = {
    ...(agent !== undefined && { agent }),
    ...(executionLog !== undefined && { executionLog }),
  }
  const needsTests = tests === 'required'
  return {
    file,
    commands: resolveCommands(commands, { needsTests }),
    allow,
    mayChange,
    protect,
    mcpServers,
    ...optional,
  }
}

/** `project.commands`, as others have it. */
function hasPlanned(json: unknown): json is { readonly project: { readonly commands: object } } {
  return z.object({ project: z.object({ commands: z.looseObject({}) }) }).safeParse(json).success && !isOwn(json)
}

function isOwn(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'commands' in json
}

function parseJson(text: string, file: string): unknown {
  const json = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(json)
  } catch (error: unknown) {
    const fault = describeJsonFault(json, error)
    throw invalid(/^\d+:\d+: /.test(fault) ? `${file}:${fault}.` : `${file} is not JSON. ${fault}.`)
  }
}

function check<Schema extends z.ZodType>(schema: Schema, json: unknown, file: string): z.infer<Schema> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys')
  // What is misspelt is missing as well.
  throw invalid(`${file}: ${(unknown.length > 0 ? unknown : issues).map(describeIssue).join(' ')}`)
}

function describeIssue({ path, ...issue }: z.core.$ZodIssue): string {
  const name = path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(name)
    const keys = issue.keys.map((key) => `\`${key}\``).join(', ')
    const hint = issue.keys.map((key) => didYouMean(key, known)).join('')
    return `Unknown key ${keys}${name === '' ? '' : ` in \`${name}\``}.${hint} Known are ${known.join(', ')}.`
  }
  return `Expected ${name === '' ? 'the file' : `\`${name}\``} to be ${expectationOf(name) ?? issue.message}.`
}

function knownKeys(name: string): readonly string[] {
  if (name === '') return Object.keys(gateConfigSchema.shape)
  if (name.endsWith('commands')) return gateNames
  return ['command', 'timeoutMs', 'noOutputTimeoutMs', ...(name.endsWith('commands.test') ? ofTests : [])]
}

/** Keys that the test gate alone has. */
const ofTests = ['runner', 'junit', 'names']

function expectationOf(name: string): string | undefined {
  if (name.endsWith('commands.test')) {
    return 'a command, its words, null, or an object with one of `command` and `runner`, times in milliseconds, and `junit` or `names` beside a command'
  }
  if (/commands\.\w+$/.test(name)) {
    return 'a command, its words, { "command", "timeoutMs", "noOutputTimeoutMs" } with times in milliseconds, or null'
  }
  if (name.endsWith('Ms')) return 'a whole number of milliseconds from 1 to 2147483647'
  if (name === '') return 'an object with `commands`'
  if (name === 'agent')
    return `${codingAgentNames.map((each) => `"${each}"`).join(', ')} { "acp": ["program", …] } or { "command": ["program", …] }`
  if (name === 'mcpServers') return mcpServersForm
  if (name.endsWith('commands')) return 'an object with compile, lint and test'
  return undefined
}

function missing(message: string): MdtestError {
  return new MdtestError('OPTION_CONFIG_MISSING', message, { hint: `Write one: \`${example}\`.` })
}

function invalid(message: string): MdtestError {
  return new MdtestError('OPTION_CONFIG_INVALID', message, { hint: `For example: \`${example}\`.` })
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    const why = describeFileError(error)
    throw new MdtestError('OPTION_CONFIG_INVALID', `${file} cannot be read (${why}).`, {
      hint: 'Make it readable.',
      cause: error,
    })
  }
}

/** What people write that is no JSON, outside of texts: each with what to do. */
const mistakes: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/,(?=\s*[}\]])/, 'JSON allows no comma after the last entry: remove it'],
  [/\/[/*]/, 'JSON has no comments: remove this one'],
  [/'/, 'JSON takes double quotes alone: write `"`'],
  [/(?<=[}\]"\w]\s*\n\s*)"/, 'a comma is missing before this'],
]

/** Where and why a text is no JSON: `LINE:COLUMN: words`; what the parser says where that is not known. */
export function describeJsonFault(text: string, error: unknown): string {
  // Texts keep their length and lose what looks like syntax.
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"/g, (quoted) => `"${'_'.repeat(quoted.length - 2)}"`)
  for (const [pattern, words] of mistakes) {
    const found = pattern.exec(bare)
    if (found !== null) return `${placeAt(text, found.index)}: ${words}`
  }
  const message = messageOf(error)
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? message : `${placeAt(text, Number(position))}: ${message}`
}

function placeAt(text: string, index: number): string {
  const before = text.slice(0, index).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
