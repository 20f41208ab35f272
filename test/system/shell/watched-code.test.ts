import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { watchedCode } from '../../../src/system/shell/watched-code.ts'

function outcomeOf(code: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', code], { encoding: 'utf8', input: '' })
  // Parts of a pipe are traced in any order.
  return { status, stdout, stderr: stderr.split('\n').toSorted() }
}

test('code whose readers read all does what it does in bash', async () => {
  const codes = [
    'f() { false; echo no; }; f | cat && echo bad; set -eo pipefail; f | cat; echo after',
    'set -e -o pipefail; f() { false; echo no; }; if f | cat; then echo t; fi; { false; echo x; } | cat; echo after',
    'set -euo pipefail; echo $undefined | cat; echo after',
    'set -Eeuo pipefail; trap "echo ERR $LINENO $?" ERR; echo a | cat; false | cat; echo after',
    'trap "echo EXIT $?" EXIT; { trap "echo in" EXIT; echo x; } | cat; exit 3 | cat; ls /nope 2>&1 | cat',
    'trap "echo u" USR1; trap -p | cat; sleep 1 & jobs | cat; jobs -p | wc -l; kill $!',
    '(exit 3) || echo $? | cat; set -- 1 2; echo "$@" | cat; set -x; echo a | cat >/dev/null; f() { return 3 | cat; }; f',
    'set -o pipefail; false | true; echo $? ${PIPESTATUS[@]}; ! false | cat; echo $?; (exit 5) | (exit 6) | true; echo $?',
    'cat <<A | cat - <(echo p | cat)\n$(echo q | tr q r)\nA\ncat <<A |\nb\nA\n# c\ntr a-z A-Z; echo $LINENO | cat',
    'echo "`echo a | cat` $(echo "$(echo b | cat)" | cat)" $((1+$(echo 2 | cat))) ${n:-$(echo d | cat)} `echo \\`echo n | cat\\``',
    'shopt -s lastpipe extglob\necho v | read x; echo $x; case $(echo a | cat) in a|b) echo !(x|y)* | wc -l;; esac',
    'shopt -s expand_aliases\nalias hi="echo hi"\nhi a | cat; echo "a | b" | cat; [[ a =~ (a|b) ]] && echo a\\|b | cat',
    'exec 3>&1; { echo o; echo e >&2; } 2>&1 >&3 | sed s/^/E:/; { echo o; echo e >&2; } |& sort; no-such 2>&1 | cat',
    'trap "echo E" ERR; eval false; source ./gone.sh 2>&1; eval true; set -e; eval false || echo $?; . ./gone.sh 2>&1 || echo $?',
    'eval "(exit 3)" || echo $?; eval true && eval; echo $?; echo "(exit 4)" >/tmp/$$; . /tmp/$$; echo $?; rm /tmp/$$',
    'set -e; x=$(false | cat; echo t); echo $x; time -p true | cat 2>/dev/null; if then',
  ]
  for (const code of codes) expect(outcomeOf(await watchedCode(code, '/dev/null')), code).toEqual(outcomeOf(code))
})
