export default {
  does: 'Passes in a log at its end, too late for blocks between steps.',
  as: 'claude',
  spec: '# Export\n\n## Write the file\n\nExport the notes.\n\n## Read it\n\n```sh run\ntrue\n```\n\nRead the file.\n',
  act: ({ writeLog, passed }) => writeLog({ status: 'pass', steps: passed }),
}
