import { expect, test } from 'vitest'
import { ScenarioLock } from '../../../src/host/server/host.ts'
import fc from '../../support/fast-check.ts'

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Comes to the gate and notes when it is let in. */
function visit(gate: ScenarioLock, isAlone: boolean): { isIn: boolean; leave(): void } {
  const { entered, leave } = gate.enter({ isAlone })
  const visitor = { isIn: false, leave }
  void entered.then(() => (visitor.isIn = true))
  return visitor
}

test('ordinary scenarios go in together, one that must be alone waits for them and keeps the later ones out', async () => {
  const gate = new ScenarioLock()
  const [a, b, alone, later] = [visit(gate, false), visit(gate, false), visit(gate, true), visit(gate, false)]
  const isIn = async (): Promise<readonly boolean[]> => {
    await settle()
    return [a, b, alone, later].map((visitor) => visitor.isIn)
  }
  expect(await isIn()).toEqual([true, true, false, false])
  a.leave()
  expect(await isIn()).toEqual([true, true, false, false])
  b.leave()
  expect(await isIn()).toEqual([true, true, true, false])
  alone.leave()
  alone.leave()
  expect(await isIn()).toEqual([true, true, true, true])
})

test('one that stops waiting to be alone lets the later ones in', async () => {
  const gate = new ScenarioLock()
  visit(gate, false)
  const alone = visit(gate, true)
  const later = visit(gate, false)
  alone.leave()
  await settle()
  expect([alone.isIn, later.isIn]).toEqual([false, true])
})

test('nobody is ever inside beside one that must be alone, and all get in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ isAlone: fc.boolean(), turns: fc.nat({ max: 4 }) })), async (visits) => {
      const gate = new ScenarioLock()
      const inside = new Set<{ isAlone: boolean }>()
      await Promise.all(
        visits.map(async (visitor) => {
          const { entered, leave } = gate.enter(visitor)
          await entered
          inside.add(visitor)
          for (let turn = 0; turn <= visitor.turns; turn += 1) {
            if ([...inside].some(({ isAlone }) => isAlone)) expect(inside.size).toBe(1)
            await settle()
          }
          inside.delete(visitor)
          leave()
        }),
      )
    }),
  )
})
