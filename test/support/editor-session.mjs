// What an editor's extension does with a project, in the project's directory: `node editor-session.mjs`. Makes a Vitest as the
// extension for VS Code makes it, collects by parsing, saves a file and runs what is asked for. Prints one JSON document.
import { readFileSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

const { runs, edit } = JSON.parse(process.argv[2])
const root = process.cwd()
// By its path, as the extension does, for it stands in no project.
const { createVitest } = await import(pathToFileURL(join(root, 'node_modules/vitest/dist/node.js')).href)

const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() })
const extension = {
  name: 'vitest:vscode-extension',
  config: () => ({ test: { printConsoleTrace: true } }),
  configResolved(config) {
    config.server.hmr = { server: { on() {}, off() {} } }
  },
  api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
}
const vitest = await createVitest(
  'test',
  { watch: true, api: false, ui: false, includeTaskLocation: true, project: ['mdtest'] },
  { server: { middlewareMode: true, watch: null }, plugins: [extension] },
  { stdout: sink(), stderr: sink() },
)
await vitest.report('onInit', vitest)
const saved = []
vitest.onFilterWatchedSpecification(({ moduleId }) => {
  saved.push(relative(root, moduleId))
  return false
})

const specifications = await vitest.globTestSpecifications()
const files = specifications.map(({ project, moduleId }) => `${project.name}: ${relative(root, moduleId)}`)
const parsed = {}
for (const { moduleId } of specifications) parsed[relative(root, moduleId)] = await parse(moduleId)

const edited = join(root, edit.file)
writeFileSync(edited, readFileSync(edited, 'utf8').replace(edit.from, edit.to))
vitest.watcher.onFileChange(edited)
// The rerun after a save waits a moment for more files.
while (saved.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
const reparsed = await parse(edited)

const ran = []
for (const { file, path } of runs) {
  if (path) vitest.setGlobalTestNamePattern(patternOf(path))
  await vitest.rerunTestSpecifications([specificationOf(join(root, file))], false)
  vitest.resetGlobalTestNamePattern()
  const module = vitest.state.getTestModules().find(({ moduleId }) => moduleId === join(root, file))
  const results = [...module.children.allTests()].map((test) => `${test.fullName}: ${test.result().state}`)
  ran.push({ tree: treeOf(module), results })
}

console.log(JSON.stringify({ files, parsed, ran, saved, reparsed }))
await vitest.close()

function specificationOf(moduleId) {
  return vitest.getProjectByName('mdtest').createSpecification(moduleId)
}

async function parse(moduleId) {
  const method = vitest.parseSpecifications ?? vitest.experimental_parseSpecifications
  const [module] = await method.call(vitest, [specificationOf(moduleId)])
  return treeOf(module)
}

/** One line for each suite and test: indentation, title, line, mode and tags. */
function treeOf({ children }, indentation = '') {
  return [...children].flatMap((child) => {
    const { name, mode, tags = [] } = child.task
    const line = `${indentation}${name} :${child.location?.line} ${[mode, ...tags].join(' ')}`
    return child.type === 'suite' ? [line, ...treeOf(child, `${indentation}  `)] : [line]
  })
}

/** Vitest 5 joins titles in its own way. */
function patternOf(path) {
  const name = path.join(vitest.version.startsWith('4.') ? ' ' : ' > ')
  return `^\\s?${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}
