import type { AndOr, CompoundList, ParsedScript, PipelineNode, Redirection, Statement, SyntaxNode } from 'unbash'
import { judgeCommand } from './judge-command.ts'
import { judgeExpansions, judgeSum } from './judge-expansions.ts'
import { judgeRedirections } from './judge-redirections.ts'
import { judgeVariable } from './judge-shell.ts'
import type { Judging } from './judging.ts'
import type { Scope, Values } from './line/scope.ts'
import { valuesOf } from './line/words.ts'

/** How many commands are judged, loops counted as often as they are looked at. */
const maxVisits = 500

/** How often a loop is looked at, until nothing new comes of it. */
const maxRounds = 4

/**
 * Judges each command of a line in the order in which they run, and keeps what is known of the shell: where a command may
 * run or not, both.
 */
export function judgeLine(judging: Judging, script: ParsedScript, scope: Scope): void {
  new LineJudge(judging).list(script.commands, scope)
}

class LineJudge {
  readonly #judging: Judging
  #visits = 0

  constructor(judging: Judging) {
    this.#judging = judging
  }

  list(statements: readonly Statement[], scope: Scope): void {
    for (const { command, background } of statements) {
      const own = background === true ? scope.copy() : scope
      const { cwds } = own
      this.#node(command, own)
      // It may not have come into its directory.
      own.mayStayIn(cwds)
    }
  }

  #node(node: PipelineNode | AndOr | CompoundList, scope: Scope, isTimed = false): void {
    if ((this.#visits += 1) > maxVisits)
      return this.#judging.refuse('The line is too long to be judged. Run it in parts.')
    switch (node.type) {
      case 'AndOr':
        return this.#andOr(node, scope)
      case 'Pipeline': {
        const isAlone = node.commands.length === 1
        const isTimed = node.prefixes.some(({ type }) => type === 'Time')
        for (const command of node.commands) this.#node(command, isAlone ? scope : scope.copy(), isTimed && isAlone)
        return
      }
      case 'Command':
        this.#expansions(node, scope)
        return judgeCommand({ judging: this.#judging, scope }, node, isTimed)
      case 'Redirected':
        this.#redirections(node.redirects, scope)
        return this.#node(node.command, scope)
      case 'CompoundList':
        return this.list(node.commands, scope)
      case 'BraceGroup':
        return this.list(node.body.commands, scope)
      case 'Subshell':
        return this.list(node.body.commands, scope.copy())
      case 'If':
        return this.#choice(node, scope)
      case 'Case': {
        this.#expansions(node.word, scope)
        const ends = node.items.map(({ pattern, body }) => {
          const own = scope.copy()
          for (const word of pattern) this.#expansions(word, own)
          this.list(body.commands, own)
          return own
        })
        for (const end of ends) scope.join(end)
        return
      }
      case 'While':
        return this.#loop(scope, () => {
          this.list(node.clause.commands, scope)
          this.list(node.body.commands, scope)
        })
      case 'For': {
        const { name, wordlist, body } = node
        for (const word of wordlist ?? []) this.#expansions(word, scope)
        const found = wordlist?.map((word) => valuesOf(word, scope, true))
        const isKnown = found !== undefined && found.every((values) => values !== undefined)
        const values: Values = isKnown ? [...new Set(found.flat())] : undefined
        if (judgeVariable({ judging: this.#judging, matching: [], isExact: false }, name.value, name.text)) return
        return this.#loop(scope, () => {
          scope.set(name.value, values !== undefined && values.length <= 16 ? values : undefined)
          this.list(body.commands, scope)
        })
      }
      case 'ArithmeticFor':
        for (const each of [node.initialize, node.test, node.update]) if (each) this.#expansions(each, scope)
        judgeSum(this.#judging, node.initialize, scope)
        return this.#loop(scope, () => {
          judgeSum(this.#judging, node.test, scope)
          this.list(node.body.commands, scope)
          judgeSum(this.#judging, node.update, scope)
        })
      case 'TestCommand':
      case 'ArithmeticCommand':
        return this.#expansions(node, scope)
      case 'Function':
        return this.#judging.refuse(
          `The function \`${node.name.text}\` would change what later commands mean. Write its commands out where they run.`,
        )
      case 'Coproc':
      case 'Select':
        return this.#judging.refuse(`\`${node.type.toLowerCase()}\` cannot be judged. Run its commands by themselves.`)
    }
  }

  #andOr({ commands, operators }: AndOr, scope: Scope): void {
    const states: Scope[] = []
    for (const [index, command] of commands.entries()) {
      // What stands behind `||` runs where something before it failed.
      if (operators[index - 1] === '||') for (const state of states) scope.join(state)
      const { cwds } = scope
      this.#node(command, scope)
      const after = scope.copy()
      after.mayStayIn(cwds)
      states.push(after)
    }
    for (const state of states) scope.join(state)
  }

  #choice({ clause, then, elif, else: other }: Extract<SyntaxNode, { type: 'If' }>, scope: Scope): void {
    const ends: Scope[] = []
    const branch = (condition: CompoundList, body: CompoundList): void => {
      this.list(condition.commands, scope)
      const own = scope.copy()
      this.list(body.commands, own)
      ends.push(own)
    }
    branch(clause, then)
    for (const each of elif) branch(each.clause, each.then)
    if (other !== undefined) this.list(other.commands, scope)
    for (const end of ends) scope.join(end)
  }

  /** Until a round adds nothing; then all that may have come about is known, or unknown. */
  #loop(scope: Scope, body: () => void): void {
    for (let round = 0; ; round += 1) {
      const before = scope.copy()
      body()
      scope.join(before)
      if (scope.equals(before)) return
      if (round === maxRounds) scope.forget(before)
      if (round > maxRounds + 1) return
    }
  }

  #redirections(redirections: readonly Redirection[], scope: Scope): void {
    const isExact = this.#judging.whole !== undefined
    for (const each of redirections) {
      this.#expansions(each, scope)
      if (each.type !== 'Redirect' && !isExact) {
        this.#judging.refuse(
          'A here-document or here-string is a text of your own. Write it into a file with the tool `write`.',
        )
      }
    }
    judgeRedirections(
      {
        judging: this.#judging,
        scope,
        matching: this.#judging.rules.filter(({ isForAll }) => isForAll),
        isExact,
        shown: '',
        hasInput: () => true,
      },
      redirections,
    )
  }

  #expansions(node: SyntaxNode, scope: Scope): void {
    judgeExpansions({ judging: this.#judging, scope }, node, (script, own) => this.list(script.commands, own))
  }
}
