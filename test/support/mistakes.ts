import { plainConfig } from './create-project.ts'

/** A mistake that users make. */
export interface Mistake {
  readonly title: string
  /** Files by name; the first holds it. */
  readonly files: Readonly<Record<string, string | Buffer>>
  /** What is called in a project of its own; without it, `vitest run` together with the others that have none. */
  readonly command?: readonly [program: 'vitest' | 'mdtest', ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** A spec without an agent. */
const spec = (body: string, frontMatter = 'agent: none'): string => `---\n${frontMatter}\n---\n\n# Shop\n\n${body}\n`
const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
const ok = { 'ok.test.md': spec(fence('sh', 'true')) }
const config = (options: string): Record<string, string> => ({
  'vitest.config.js': plainConfig.replace('mdtest()]', `mdtest(${options})]`),
})

/** Every port that a spec names here is one that is taken while the specs run. */
export const takenPort = 18_734

/** Those of a first visitor, then others. */
export const mistakes: readonly Mistake[] = [
  { title: 'an attribute is misspelt', files: { 'm01.test.md': spec(fence('sh exti=2', 'exit 2')) } },
  { title: 'a fence is not closed', files: { 'm02.test.md': spec('```sh\ntrue\n\n## Pay\n\nText.') } },
  {
    title: 'the YAML of the front matter is broken',
    files: { 'm03.test.md': spec(fence('sh', 'true'), 'agent: none\n  cwd: temp') },
  },
  {
    title: 'two headings have the same title',
    files: { 'm04.test.md': spec(`## Pay\n\n${fence('sh', 'true')}\n\n## Pay\n\n${fence('sh', 'false')}`) },
  },
  {
    title: 'a `verify` block stands above the steps',
    files: { 'm05.test.md': `# Shop\n\n${fence('sh verify', 'true')}\n\n## Pay\n\nBuy a mug.\n` },
  },
  {
    title: 'an option is misspelt in the configuration',
    files: { ...config("{ alow: ['Bash(npm *)'] }"), ...ok },
    command: ['vitest', 'run'],
  },
  { title: 'a program is missing', files: { 'm08.test.md': spec(fence('sh', 'echo one\nfrobnicate --now')) } },
  { title: 'no agent is installed, and the text is prose', files: { 'm09.test.md': '# Shop\n\nBuy a mug.\n' } },
  { title: 'a spec outside of the root is named', files: ok, command: ['mdtest', 'run', '../'] },
  {
    title: 'the spec has Windows line ends and a mistake',
    files: { 'm13.test.md': spec(fence('console', '$ echo a\nb')).replaceAll('\n', '\r\n') },
  },
  { title: 'a tab indents YAML', files: { 'm14.test.md': spec(fence('sh', 'true'), 'agent: none\nenv:\n\tA: 1') } },
  {
    title: 'a blank stands at the end of expected output',
    files: { 'm15.test.md': spec(fence('console', '$ echo a\na ')) },
  },
  {
    title: 'the spec is not UTF-8',
    files: { 'm16.test.md': Buffer.from(spec('Caf\u00e9.\n\n' + fence('sh', 'true')), 'latin1') },
  },
  {
    title: 'a script asks and reads its input',
    files: { 'm17.test.md': spec(fence('sh', 'printf "Continue? [y/N] "\nread -r answer')) },
  },
  { title: 'a script never ends', files: { 'm18.test.md': spec(fence('sh timeout=5s', 'echo listening\nsleep 100')) } },
  { title: 'a command prints without end', files: { 'm19.test.md': spec(fence('sh', 'yes')) } },
  { title: 'a block is in a language that is not run', files: { 'm20.test.md': spec(fence('python', 'print(1)')) } },
  { title: 'the `$` is missing in a transcript', files: { 'm21.test.md': spec(fence('console', 'echo hi\nhi')) } },
  {
    title: 'a word processor has put in its quotes',
    files: { 'm22.test.md': spec(fence('console', '$ echo “a b”\na b')) },
  },
  { title: 'the agent is written `None`', files: { 'm23.test.md': spec(fence('sh', 'true'), 'agent: None') } },
  {
    title: 'a duration is written as people do',
    files: { 'm24.test.md': spec(fence('sh', 'true'), 'agent: none\ntimeout: 5 min') },
  },
  { title: 'tags are no list', files: { 'm25.test.md': spec(fence('sh', 'true'), 'agent: none\ntags: smoke slow') } },
  {
    title: 'two files include each other',
    files: {
      'm26.test.md': spec(fence('sh', 'true'), 'agent: none\ninclude: [m26-b.md]'),
      'm26-b.md': '---\ninclude: [m26-c.md]\n---\n\n## B\n\nText.\n',
      'm26-c.md': '---\ninclude: [m26-b.md]\n---\n\n## C\n\nText.\n',
    },
  },
  {
    title: 'an included file is outside of the root',
    files: { 'm27.test.md': spec(fence('sh', 'true'), 'agent: none\ninclude: [../../shared.md]') },
  },
  {
    title: 'the port of a service is taken',
    files: { 'm28.test.md': spec(fence(`sh background wait=port:${takenPort}`, 'sleep 5')) },
  },
  { title: 'there is nothing to run', files: { 'm29.test.md': spec('Buy a mug.') } },
  {
    title: 'the front matter has no end',
    files: { 'm31.test.md': `---\nagent: none\n\n# Shop\n\n${fence('sh', 'true')}\n` },
  },
  {
    title: 'the name of a spec is misspelt',
    files: { 'checkout.test.md': spec(fence('sh', 'true')) },
    command: ['mdtest', 'run', 'chekout.test.md'],
  },
  { title: 'a title is named that no step has', files: ok, command: ['mdtest', 'run', '-t', 'Pay'] },
  { title: 'a line is named at which no step is', files: ok, command: ['mdtest', 'run', 'ok.test.md:99'] },
  { title: 'the agent is none that there is', files: ok, command: ['mdtest', 'run', '--agent', 'cursor'] },
  {
    title: 'a script skips itself, and nothing else is there',
    files: { 'docker.test.md': spec(fence('sh', 'echo no Docker here; exit 80')) },
    command: ['mdtest', 'run'],
  },
  {
    title: 'a variable is set outside and not handed on',
    files: { 'm37.test.md': spec(fence('sh', 'test "$API_URL" = http://127.0.0.1')) },
  },
  {
    title: 'a relative path starts from another folder',
    files: { 'm38.test.md': spec(fence('sh', './bin/shop list')) },
  },
  {
    title: 'a file has no permission to be executed',
    files: { 'm39.test.md': spec(fence('sh', 'echo true > shop\n./shop'), 'agent: none\ncwd: temp') },
  },
  {
    title: 'a later command is to use what nothing captured',
    files: { 'm40.test.md': spec(fence('console', '$ echo 1\n{{id}}')) },
  },
  { title: 'there is no run to show', files: ok, command: ['mdtest', 'show'] },
  { title: 'a command that is gone', files: ok, command: ['mdtest', 'report'] },
  {
    title: 'the configuration of the gates has a comma too much',
    files: { 'mdtest.config.json': '{ "commands": { "test": "true", } }\n' },
    command: ['mdtest', 'gate'],
  },
  {
    title: 'a key of the gates is misspelt',
    files: { 'mdtest.config.json': '{ "comands": { "test": "true" } }\n' },
    command: ['mdtest', 'gate'],
  },
  { title: 'the gates have no configuration', files: ok, command: ['mdtest', 'gate'] },
  {
    title: 'a hook is asked for without git',
    files: { 'mdtest.config.json': '{ "commands": { "test": "true" } }\n' },
    command: ['mdtest', 'gate', '--hook'],
  },
  {
    title: 'the folder for temporary files is missing',
    files: ok,
    command: ['mdtest', 'run'],
    env: { TMPDIR: '/no/such/folder' },
  },
  { title: 'a reporter is misspelt', files: ok, command: ['mdtest', 'run', '--reporter=verbos'] },
  {
    title: '`init` meets a configuration that it cannot read',
    files: { 'vitest.config.js': "import base from './base.js'\nexport default { ...base }\n" },
    command: ['mdtest', 'init'],
  },
  {
    title: 'what is required has no kind',
    files: { 'm52.test.md': spec(fence('sh', 'true'), 'agent: none\nrequires: [docker]') },
  },
  {
    title: 'a directive is misspelt',
    files: { 'm53.test.md': spec('<!-- mdtest: skipp -->\n\n' + fence('sh', 'true')) },
  },
  {
    title: 'a file is to be written into the project',
    files: { 'm54.test.md': spec(fence('json file=a.json', '{}')) },
  },
]
