import { guidePages } from './guide.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const links = [
  ...guidePages.map(({ slug, title }) => ({ href: `/docs/${slug}`, title })),
  { href: '/docs/reference', title: 'Reference' },
]

/** A complete page: the navigation and the content. `scripts` and `styles` are file names under `/docs/assets/`. */
export function page(options: {
  href: string
  title: string
  content: string
  scripts?: readonly string[]
  styles?: readonly string[]
}): string {
  const items = links
    .map(({ href, title }) => {
      const here = href === options.href ? ' aria-current="page"' : ''
      return `<li><a href="${href}"${here}>${escaped(title)}</a></li>`
    })
    .join('')
  const styles = [...(options.styles ?? []), 'docs.css']
    .map((name) => `<link rel="stylesheet" href="/docs/assets/${name}">`)
    .join('\n')
  const scripts = (options.scripts ?? [])
    .map((name) => `<script src="/docs/assets/${name}" defer></script>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(options.title)} · Identity verification</title>
<link rel="icon" href="data:,">
${styles}
${scripts}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav class="site" aria-label="Documentation"><a class="home" href="/docs">Identity verification</a><ul>${items}</ul></nav>
<main id="content">
${options.content}
</main>
</body>
</html>
`
}
