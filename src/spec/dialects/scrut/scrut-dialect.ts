import type { Dialect } from '../dialect.ts'
import { buildDocument } from './build-document.ts'
import { asDocument, documentKeys, readDocumentConfig, unsupportedKeys } from './read-document-config.ts'

/** Documents of scrut: one scenario of test cases in fences of the language `scrut`. */
export const scrutDialect: Dialect<'scrut'> = {
  name: 'scrut',
  keys: documentKeys,
  unsupportedKeys,
  settle: asDocument,
  build({ raw, readFiles, ...parts }) {
    const { defaults, prepend, append } = readDocumentConfig(raw, parts.report)
    const prepended = readFiles(prepend, 'prepend')
    const appended = readFiles(append, 'append')
    return {
      includes: [...prepended, ...appended].map((one) => one.file),
      scenarios: buildDocument({ ...parts, defaults, prepended, appended }),
    }
  },
}
