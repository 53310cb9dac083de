import { readFileSync } from 'node:fs'
import { Marked } from 'marked'

/** The guide's pages in reading order; each is a file of `guide/`. */
export const guidePages = [
  { slug: 'first-session', title: 'First session' },
  { slug: 'webhooks', title: 'Webhooks' },
  { slug: 'test-mode', title: 'Test mode' },
  { slug: 'errors', title: 'Errors' },
  { slug: 'limits', title: 'Limits' },
  { slug: 'purge', title: 'Purge' },
  { slug: 'going-live', title: 'Going live' },
  { slug: 'client', title: 'Client and command' },
] as const

export const guideFile = (slug: string): URL => new URL(`../guide/${slug}.md`, import.meta.url)

/** The text is this repository's own and therefore trusted; the page's policy still forbids scripts from it. */
const markdown = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      const id = text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
  },
})

/** The HTML of one page of the guide. */
export const renderGuide = (slug: string): string =>
  markdown.parse(readFileSync(guideFile(slug), 'utf8'), { async: false })
