import type { ProductContext } from '../context/context.ts'
import type { textEndings } from '../../system/spec-endings.ts'
import type { IncludedFile } from '../front-matter/read-includes.ts'
import type { Source } from '../read-source.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Outline } from '../sections/build-sections.ts'
import type { Spec } from '../spec.ts'
import type { FrontMatter } from '../front-matter/front-matter.ts'
import type { DialectName } from './places.ts'

/** Test cases as another tool has them: what their documents say beside all other specs, and the steps they are. */
export interface Dialect<Name extends DialectName = DialectName> {
  readonly name: Name
  /** That of its files which are no markdown, without the dot: `build` reads their text. Default: there are none. */
  readonly ending?: (typeof textEndings)[number]
  /** Whether a document that names no dialect has the form of this one; asked for agents that drive a browser. Default: it has not. */
  readonly recognise?: (outline: Outline) => boolean
  /**
   * Whether its documents have no place for how the product is run: then `mdtest.context.md` says it.
   * @default false
   */
  readonly takesContext?: boolean
  /** What a line looks like that names a part of such a document. Default: no line does. */
  readonly nameOf?: (line: string) => string | undefined
  /** Makes the scenarios of a document. What is wrong with it is reported, never thrown. Default of the title: as of any spec. */
  readonly build: (
    document: DialectDocument,
  ) => Pick<Spec, 'includes' | 'scenarios' | 'requirements'> & Partial<Pick<Spec, 'title' | 'change'>>
}

export interface DialectDocument {
  readonly file: string
  readonly report: Report
  readonly frontMatter: FrontMatter
  readonly isAgentNone: boolean
  readonly text: Source['text']
  readonly headLength: Source['headLength']
  readonly fates: Source['fates']
  readonly outline: Outline
  readonly title: string
  /** What stands beside the document; empty for a dialect that takes none. */
  readonly context: ProductContext
  readFiles(): readonly IncludedFile[]
  /**
   * Reads a file that the text of the document names: relative to the document, or to a folder above it in the suite root.
   * `undefined` where none is there.
   */
  findFile(path: string): FoundFile | undefined
  /** The same for a spec, whose sections become part of this one. Its front matter counts for nothing. */
  findSpec(path: string): IncludedFile | undefined
}

export interface FoundFile {
  readonly file: string
  readonly text: string
}
