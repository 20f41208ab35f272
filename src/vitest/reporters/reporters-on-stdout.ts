import type { Vitest } from 'vitest/node'

/** Names of the reporters that write to standard output; what was given as an object writes what it likes. */
export function reportersOnStdout({ config }: Pick<Vitest, 'config'>): readonly string[] {
  const { outputFile } = config
  const filed = typeof outputFile === 'object' ? Object.keys(outputFile) : []
  return config.reporters.flatMap((reporter) => {
    const [name, options] = Array.isArray(reporter) ? reporter : [undefined, undefined]
    const hasFile = typeof outputFile === 'string' || hasOutputFile(options)
    return typeof name !== 'string' || hasFile || filed.includes(name) ? [] : [name]
  })
}

function hasOutputFile(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'outputFile' in options && options.outputFile !== undefined
}
