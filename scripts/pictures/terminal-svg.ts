type Colors = Readonly<Record<'background' | 'frame' | 'text' | number, string>>

/** The style of a text. `color` and `label` are numbers of SGR sequences. */
interface Style {
  readonly isBold?: boolean
  readonly isDim?: boolean
  readonly color?: number | undefined
  readonly label?: number | undefined
}

/** Colors of a terminal, by the numbers of SGR sequences. */
const themes: Readonly<Record<'light' | 'dark', Colors>> = {
  light: {
    background: '#ffffff',
    frame: '#d0d7de',
    text: '#1f2328',
    31: '#cf222e',
    32: '#1a7f37',
    33: '#9a6700',
    36: '#1b7c83',
    90: '#6e7781',
  },
  dark: {
    background: '#0d1117',
    frame: '#30363d',
    text: '#e6edf3',
    31: '#ff7b72',
    32: '#3fb950',
    33: '#d29922',
    36: '#39c5cf',
    90: '#8b949e',
  },
}
const [lineHeight, charWidth, padding] = [18, 8.4, 16]

/**
 * Draws the terminal output of a program as SVG.
 * @param output with SGR sequences (colors, bold, dim)
 * @param title description for screen readers
 */
export function terminalSvg(output: string, theme: keyof typeof themes, title: string): string {
  const colors = themes[theme]
  const lines = output.trimEnd().split('\n')
  const columns = Math.max(...lines.map((line) => plain(line).length))
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * padding, lines.length * lineHeight + 2 * padding]
  const rows = lines.map((line, index) => {
    const y = padding + (index + 0.75) * lineHeight
    return `<text x="${padding}" y="${y}" xml:space="preserve">${spansOf(line, colors)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escape(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${colors.background}" stroke="${colors.frame}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${colors.text}">
${rows.join('\n')}
</g>
</svg>
`
}

function spansOf(line: string, colors: Colors): string {
  let style: Style = {}
  return line
    .split(/(\x1b\[[\d;]*m)/)
    .map((part) => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part)?.[1]
      if (codes === undefined) return part === '' ? '' : `<tspan${attributes(style, colors)}>${escape(part)}</tspan>`
      for (const code of codes.split(';').map(Number)) style = changed(style, code)
      return ''
    })
    .join('')
}

function changed(style: Style, code: number): Style {
  if (code === 0) return {}
  if (code === 1) return { ...style, isBold: true }
  if (code === 2) return { ...style, isDim: true }
  if (code === 22) return { ...style, isBold: false, isDim: false }
  if (code === 39) return { ...style, color: undefined }
  if ((code >= 30 && code <= 37) || code === 90) return { ...style, color: code }
  // A colored background marks a label. It is drawn as colored text instead.
  if (code >= 41 && code <= 46) return { ...style, label: code - 10 }
  return code === 49 ? { ...style, label: undefined } : style
}

function attributes({ isBold, isDim, color, label }: Style, colors: Colors): string {
  const fill = colors[label ?? color ?? 0]
  return [
    fill === undefined ? '' : ` fill="${fill}"`,
    isBold === true || label !== undefined ? ' font-weight="600"' : '',
    isDim === true ? ' opacity="0.65"' : '',
  ].join('')
}

function plain(line: string): string {
  return line.replaceAll(/\x1b\[[\d;]*m/g, '')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
