import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, type CommandResult, type RunOptions } from '../system/process/run-command.ts'
import type { Ground } from '../system/files/trusted-folder.ts'
import { replaceFile } from '../system/files/write-file.ts'
import type { Redactor } from '../system/redaction/open-redactor.ts'
import { redactTexts } from '../system/redaction/redact-texts.ts'
import { describeEnd } from '../system/text/wording.ts'
import type { AgentRequest, CliAgent } from './agent.ts'
import { AgentTranscript, rawLogName, type CallUsage } from './agent-transcript.ts'
import { isProviderLimit } from './provider-errors.ts'
import { mcpConfig } from './report-access.ts'

/** A question to an agent, without spec, log and reports. The agent may use tools. `mark` is unique to this call. */
export interface Question
  extends
    Pick<
      AgentRequest,
      'prompt' | 'cwd' | 'env' | 'allow' | 'network' | 'dangerouslyAllowAllActions' | 'maxCostUsd' | 'mcpServers'
    >,
    Pick<RunOptions, 'launcher' | 'hardTimeoutMs' | 'silenceTimeoutMs' | 'mark' | 'runMark' | 'signal'> {
  readonly agent: CliAgent
  readonly schema: object
  readonly sessionId?: string | undefined
  readonly folder: string
  readonly ground: Ground
  /** Absolute path of a private folder, deleted after the run: settings of MCP servers in it may contain secrets. */
  readonly privateFolder: string
  readonly redactor: Redactor
}

export type Answer = CallUsage & Reply

type Reply = { readonly ok: true; readonly value: unknown } | Refusal

interface Refusal {
  readonly ok: false
  /** `limit`: the provider asks to try again later. `unanswered`: the model gave no answer. `broke-off`: the program failed. */
  readonly cause: 'auth' | 'budget' | 'limit' | 'unanswered' | 'timeout' | 'canceled' | 'broke-off' | 'no-answer'
  readonly reason: string
  /** The end of what a failed program printed. */
  readonly output?: string
}

/** Never throws: a failure has `ok: false`. The caller has to check the value against the schema. */
export async function askAgent(question: Question): Promise<Answer> {
  const { agent, folder, ground, redactor } = question
  const transcript = new AgentTranscript()
  const result = await runCommand(agent.buildCommand(requestOf(question)), {
    ...question,
    graceMs: 5_000,
    rawLogFile: join(folder, rawLogName),
    rawLogGround: ground,
    onLine(stream, line) {
      const read = stream === 'stdout' ? agent.readEvents : agent.readDiagnostics
      for (const event of read?.(line) ?? []) transcript.onEvent(event)
      if (stream === 'stdout' && agent.reports === 'none') transcript.onText(line)
    },
  })
  // Replies are stored and shown, so secrets are replaced.
  return { ...transcript.usage(question), ...redactTexts(replyOf(transcript, result), redactor.redact) }
}

function requestOf(question: Question): AgentRequest {
  const { agent, prompt, cwd, env, folder, ground, privateFolder, sessionId, mcpServers = {} } = question
  // Leave out `$schema`: Claude Code refuses drafts of JSON Schema that it does not know.
  const schema = Object.fromEntries(Object.entries(question.schema).filter(([key]) => key !== '$schema'))
  const schemaFile = join(folder, 'answer.schema.json')
  replaceFile(ground, schemaFile, `${JSON.stringify(schema, null, 2)}\n`)
  const lastWords = `Your last message has to be one JSON object and nothing else, by this JSON schema:\n\n${JSON.stringify(schema)}\n`
  const hasServers = Object.keys(mcpServers).length > 0
  const mcpConfigFile = hasServers ? join(privateFolder, `mcp-${randomBytes(4).toString('hex')}.json`) : undefined
  if (mcpConfigFile !== undefined) writeFileSync(mcpConfigFile, mcpConfig(mcpServers), { mode: 0o600 })
  // In a private home, permissions that the user granted earlier do not apply.
  const settingsHome = agent.writeSettings && mkdtempSync(join(privateFolder, 'home-'))
  if (settingsHome !== undefined) agent.writeSettings?.(settingsHome, env)
  return {
    ...question,
    prompt: `${prompt}\n\n${lastWords}`,
    specFile: join(cwd, '.'),
    root: cwd,
    logFile: join(folder, 'answer.json'),
    answer: { schema, schemaFile, sessionId, mcpConfigFile },
    ...(settingsHome !== undefined && { settingsHome }),
  }
}

function replyOf(transcript: AgentTranscript, { end, tail }: CommandResult): Reply {
  const { error, answer } = transcript
  const refuse = (cause: Refusal['cause'], reason: string): Refusal => ({ ok: false, cause, reason })
  if (error !== undefined && isProviderLimit(error)) return refuse('limit', error.message)
  if (error?.cause === 'auth' || error?.cause === 'budget') return refuse(error.cause, error.message)
  if (end.reason === 'canceled') return refuse('canceled', 'The agent was canceled.')
  if ('limitMs' in end) {
    const what = end.reason === 'hard-timeout' ? 'took longer than' : 'was silent for'
    return refuse('timeout', `The agent ${what} ${end.limitMs} ms.`)
  }
  if ('error' in end) return refuse('broke-off', end.error.message)
  if (end.reason === 'signal') return refuse('broke-off', `The agent ${describeEnd(end)}.`)
  if (error !== undefined) return refuse(transcript.hasAnswered ? 'broke-off' : 'unanswered', error.message)
  if (end.exitCode !== 0) return { ...refuse('broke-off', `The agent ${describeEnd(end)}.`), output: tail }
  if (answer !== undefined) return { ok: true, value: answer }
  return refuse('no-answer', 'The agent ended without a JSON object as its answer.')
}
