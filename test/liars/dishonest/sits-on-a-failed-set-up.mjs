export default {
  does: 'Would pass anything; the set-up fails before it is asked.',
  as: 'command',
  spec: '# Export\n\n## Setup\n\n```sh run\ntest -e missing\n```\n\n## Write the file\n\nExport the notes.\n',
  act: ({ writeLog }) => writeLog({ status: 'pass' }),
}
