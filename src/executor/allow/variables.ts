/**
 * Variables by which programs, the shell or what they load are steered: whoever sets one decides what a later command
 * does, whatever its name is.
 */
const steering = new RegExp(
  `^(?:${[
    // The shell: what it finds, reads and runs by itself.
    'PATH|MANPATH|INFOPATH|FPATH|HOME|PWD|OLDPWD|ENV|IFS|BASH.*|SHELL|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|PROMPT_DIRTRIM|CDPATH|GLOBIGNORE',
    'FUNCNEST|EXECIGNORE|TIMEFORMAT|INPUTRC|HIST.*|FCEDIT|COMP_.*|READLINE_.*|POSIXLY_CORRECT|TMOUT|TMPDIR',
    // The loader and libraries.
    'LD_.*|DYLD_.*|_RLD.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*|GLIBC_.*|HOSTALIASES|RES(?:OLV)?_.*|LOCALDOMAIN|TERMINFO.*|TERMCAP',
    'OPENSSL_.*|SSL_.*|SSLKEYLOGFILE|LIBPATH|SHLIB_PATH',
    // Interpreters, compilers and what manages their packages.
    'NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|TS_NODE.*|TSX_.*|COREPACK_.*|PYTHON.*|PYENV.*|PIP_.*|VIRTUAL_ENV|CONDA.*',
    'UV_.*|POETRY_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|IRBRC|PHP.*|LUA.*|TCL.*|AWK.*|R_.*|JULIA_.*',
    'JAVA_.*|_?JAVA_OPTIONS|JDK_.*|MAVEN_.*|GRADLE_.*|CLASSPATH|GO(?:PATH|ROOT|FLAGS|PROXY|BIN|ENV|CACHE|MODCACHE|TOOLCHAIN|TOOLDIR|DEBUG|WORK)|CGO_.*|RUSTC?_.*|RUST.*FLAGS|CARGO.*|DOTNET_.*|NUGET_.*',
    'CC|CXX|CPP|LD|AR|AS|C(?:PP|XX)?FLAGS|LDFLAGS|MAKE.*|CMAKE_.*|VITEST.*|JEST.*|MDTEST.*|PYTEST.*',
    // Programs that start others, or read settings where a variable says.
    'GIT_.*|SSH_.*|GPG_.*|XDG_.*|[A-Z_]*EDITOR|VISUAL|[A-Z_]*PAGER|BROWSER|LESS.*|MANOPT|RIPGREP_.*|GREP_OPTIONS|TAR_OPTIONS|RSYNC_.*',
    'CURL_.*|WGETRC|NETRC|DOCKER_.*|KUBE.*|AWS_.*|GCLOUD.*|AZURE_.*|PG.*|MYSQL_.*|SQLITE_.*|ZDOTDIR|DISPLAY|DBUS_.*',
    '.*_(?:OPTIONS|OPTS|FLAGS|PRELOAD|LIBRARY_PATH|PROXY|proxy)|(?:http|https|ftp|no|all)_proxy',
    'RANDOM|SRANDOM|SECONDS|LINENO|EPOCH.*|OPT(?:IND|ARG|ERR)|_',
  ].join('|')})$`,
)

/** Those of the above that only change how things look. */
const harmless: ReadonlySet<string> = new Set(
  'NODE_ENV PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE RUST_LOG RUST_BACKTRACE GOOS GOARCH NODE_NO_WARNINGS NODE_DISABLE_COLORS'.split(
    ' ',
  ),
)

/** Whether setting a variable may change what commands do that are named by nobody. */
export function isSteering(name: string): boolean {
  return !harmless.has(name) && steering.test(name)
}

export function isVariableName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text)
}
