import { describe, expect, it } from 'vitest'
import { useScenario } from '../../scenario/use-scenario.ts'
import { cited, recorderOfNotes, type Told } from './record-calls.ts'

const openScenario = useScenario()

const notes = `[ -f notes.txt ] || : >notes.txt
case $1 in
  add) echo "$2" >>notes.txt; echo "added $2" ;;
  list) grep -n . notes.txt ;;
  *) echo "notes: unknown command $1" >&2; exit 2 ;;
esac
`

const files = {
  'notes.sh': notes,
  'report.txt': 'added milk\nall 3 tests passed\n',
}

const add: Told = { command: 'sh notes.sh add milk' }

const record = recorderOfNotes(openScenario, 'sh notes.sh', files)
const look = { isLook: true }

describe.concurrent('never records what the product need not have done', () => {
  it.each<readonly [string, readonly Told[]]>([
    // Words of the command itself.
    ['its own words', [cited('echo "added milk"')]],
    ['words of an exit code', [cited('sh notes.sh add milk > /dev/null; echo "exit code $?"', 'exit code 0')]],
    // Files that say so.
    ['a file of the agent', [{ writes: ['seen.txt', 'added milk\n'] }, cited('cat seen.txt', undefined, look)]],
    // What the machine says.
    ['ls', [cited('ls', 'notes.sh', look)]],
    // Nothing that could differ.
    ['nothing quoted', [add]],
  ])('%s', async (_what, told) => {
    expect(await record(...told)).toMatch(/^(?:VACUOUS|NOT_ELIGIBLE|NEEDS_THE_MODEL)/)
  })
})

describe.concurrent('records an honest command', () => {
  it.each<readonly [string, readonly Told[]]>([
    ['and looks at what it did', [add, cited('sh notes.sh list', '2:milk')]],
    ['whose failure is the point', [cited('sh notes.sh ad milk; echo "code $?"', 'code 2')]],
  ])('%s', async (_what, told) => {
    expect(await record(...told)).toMatch(/^```/)
  })
})
