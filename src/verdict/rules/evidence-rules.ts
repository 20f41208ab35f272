import { accountOf, hasActivity, citationsOf } from '../account.ts'
import { allOf, fail, type JudgedStep, type Rule } from './rule.ts'

/** The agent says that it passed and was not seen to do anything for it. */
const noActivity: Rule = (judged) => {
  const { step, evidence } = judged
  const { agent } = evidence
  if (hasActivity(judged) || agent?.journal === undefined) return []
  return [fail('NO_ACTIVITY', describeIdle(judged), step)]
}

/** Evidence that is not there. A quote says nothing either way where nothing could be seen. */
const evidenceUnknown: Rule = ({ step, evidence }) => {
  const hasJournal = evidence.agent?.journal !== undefined
  const missing = citationsOf(evidence, step).filter(({ found, kind }) => !found && (kind === 'file' || hasJournal))
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
export const support: Rule = allOf([noActivity, evidenceUnknown])

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
