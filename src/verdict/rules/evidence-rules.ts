import { accountOf, hasActivity, citationsOf } from '../account.ts'
import { policyOf, allOf, fail, type JudgedStep, type Rule } from './rule.ts'

/**
 * Under `require` a pass needs all that can be asked of a report. That each check is reported is a rule of its own
 * wherever there is a list of steps.
 */
const reportTooThin: Rule = (judged) => {
  const { step, evidence } = judged
  const account = accountOf(evidence)
  if (policyOf(evidence).evidence !== 'require' || account?.source !== 'log') return []
  const missing = [account.steps === undefined ? '`steps`' : [], account.run === undefined ? '`run`' : []].flat()
  if (missing.length === 0) return []
  const message = `The result log has no ${missing.join(' and no ')}, and \`evidence: require\` needs every step reported, with the run id.`
  return [fail('STEP_UNREPORTED', message, step)]
}

/** The agent says that it passed and was not seen to do anything for it. */
const noActivity: Rule = (judged) => {
  const { step, evidence } = judged
  const { agent } = evidence
  const policy = policyOf(evidence).evidence
  if (policy === 'off' || hasActivity(judged)) return []
  if (agent?.journal !== undefined) return [fail('NO_ACTIVITY', describeIdle(judged), step)]
  // Where nothing could be seen the pass is `claimed`, and says so.
  if (policy === 'auto') return []
  const message = `Nothing could be seen of what the agent did, and \`evidence: require\` needs it. Use an agent whose tool calls mdtest can read.`
  return [fail('NO_ACTIVITY', message, step)]
}

/** Evidence that is not there. A quote says nothing either way where nothing could be seen. */
const evidenceUnknown: Rule = ({ step, evidence }) => {
  const policy = policyOf(evidence).evidence
  if (policy === 'off') return []
  const hasJournal = evidence.agent?.journal !== undefined
  const missing = citationsOf(evidence, step).filter(
    ({ found, kind }) => !found && (kind === 'file' || hasJournal || policy === 'require'),
  )
  const more = missing.length - maxMissing
  return missing.slice(0, maxMissing).map(({ kind, what, problem, check }, index) => {
    const where = kind === 'quote' && evidence.agent?.executor ? ' in what mdtest executed for it' : ''
    const cited = `The agent cites the ${kind} \`${excerpt(what)}\` as evidence, and it was not found${where}`
    const others = more > 0 && index === maxMissing - 1 ? ` So it is with ${more} more citations of the step.` : ''
    const at = step.checks.find(({ n }) => n === check) ?? step
    return fail('EVIDENCE_UNKNOWN', `${cited}${problem === undefined ? '.' : `: ${problem}`}${others}`, at)
  })
}

/** What an account of the agent rests on. Asked only where nothing else speaks against it. */
export const support: Rule = allOf([reportTooThin, noActivity, evidenceUnknown])

function describeIdle({ step, evidence }: JudgedStep): string {
  const ended = step.isExpectedToFail ? 'failed' : 'passed'
  if (evidence.agent?.executor) {
    return `The agent reports that the step ${ended}, and since its report before mdtest executed nothing for it that could have tried anything; nor does it quote what an earlier command printed. What the agent did elsewhere does not count.`
  }
  if (accountOf(evidence)?.source !== 'reports') {
    return `The agent says that the step ${ended}, and no tool call of it was seen that could have tried anything.`
  }
  return `The agent reports that the step ${ended}, and since its report before no tool call of it was seen that could have tried anything; nor does it quote what an earlier one showed.`
}

/** More of them would bury what they say. */
const maxMissing = 20
const maxExcerpt = 200

function excerpt(text: string): string {
  return text.length <= maxExcerpt ? text : `${text.slice(0, maxExcerpt)}…`
}
