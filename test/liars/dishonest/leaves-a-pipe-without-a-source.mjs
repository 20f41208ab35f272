export default {
  does: 'Makes no file, which only a pipe of the script misses.',
  as: 'claude',
  spec: '# Export\n\n## Write the file\n\nExport the notes to `notes.txt`.\n\n```shell verify\nlines=$(cat notes.txt | sort | wc -l)\necho "$lines notes"\n```\n',
  act({ writeLog, passed, runId }) {
    writeLog({ status: 'pass', run: runId, steps: passed })
  },
}
