import type { ProductContext } from '../context/context.ts'
import type { textEndings } from '../../system/spec-endings.ts'
import type { IncludedFile } from '../front-matter/read-includes.ts'
import type { Source } from '../read-source.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Outline } from '../sections/build-sections.ts'
import type { Spec } from '../spec.ts'
import type { FrontMatter } from '../front-matter/front-matter.ts'
import type { DialectName } from './dialect-places.ts'

/** A format of another tool's test cases, and how its documents become scenarios. */
export interface Dialect<Name extends DialectName = DialectName> {
  readonly name: Name
  /** File ending, without the dot, of documents that are not markdown. `build` parses their text. Default: none. */
  readonly ending?: (typeof textEndings)[number]
  /** Whether headings look like this dialect. Called for browser agents if the path decides nothing. Default: no. */
  readonly recognise?: (outline: Outline) => boolean
  /** Whether `mdtest.context.md` says how to run the product. Default: no. */
  readonly takesContext?: boolean
  /** The kind of part that a line seems to begin, such as `scenario`; `undefined` for other lines. */
  readonly nameOf?: (line: string) => string | undefined
  /** Makes the scenarios. Reports problems and never throws. Default for `title`: the title of the document. */
  readonly build: (
    document: DialectDocument,
  ) => Pick<Spec, 'includes' | 'scenarios' | 'requirements'> & Partial<Pick<Spec, 'title' | 'change'>>
}

export interface DialectDocument extends Pick<Source, 'text' | 'headLength' | 'fates'> {
  readonly file: string
  readonly report: Report
  readonly frontMatter: FrontMatter
  readonly isAgentNone: boolean
  readonly outline: Outline
  readonly title: string
  /** The content of `mdtest.context.md` files; empty without `takesContext`. */
  readonly context: ProductContext
  readFiles(): readonly IncludedFile[]
  /** Looks in the document's folder and in the folders above it, inside the suite root. */
  findFile(path: string): (Pick<IncludedFile, 'file' | 'report'> & { readonly text: string }) | undefined
}
