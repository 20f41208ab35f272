import type { Vitest } from 'vitest/node'

/** How many workers the user wants, by configuration, flag or environment; nothing where they leave it to Vitest. */
export function givenWorkers({ config }: Vitest): number | undefined {
  // The types leave it out: Vitest turns it into a number of workers.
  if (Reflect.get(config, 'fileParallelism') === false) return 1
  // Vitest 5 fills in a number of its own and notes what was given; 4 leaves it open.
  const given: unknown = Reflect.get(config, 'providedOptions')
  const isOwnChoice = typeof given === 'object' && given !== null && Reflect.get(given, 'maxWorkers') !== true
  return isOwnChoice ? undefined : config.maxWorkers
}
