import type { Report } from '../../src/spec/rules/spec-rules.ts'

/** Collects what is reported, each as `rule line:column`. */
export function collectProblems(): { readonly report: Report; readonly found: string[]; readonly messages: string[] } {
  const found: string[] = []
  const messages: string[] = []
  const report: Report = (ruleId, { line, column }, message) => {
    found.push(`${ruleId} ${line}:${column}`)
    messages.push(message)
  }
  return { report, found, messages }
}
