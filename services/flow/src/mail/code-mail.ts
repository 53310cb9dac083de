import type { Mail } from './mailer.ts'
import { mailLanguage, mailTexts } from './texts.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/**
 * The e-mail with a code, as text and as HTML without external resources, in the language of `locale` (English if
 * unsupported). The app name comes from the client's settings, so it is reduced to one line.
 */
export function codeMail(to: string, code: string, appName: string, locale: string): Mail {
  const language = mailLanguage(locale)
  const app = appName.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{Zs}]/gu, ' ').slice(0, 80)
  // One pass with a replacer function, so that an app name such as `{code}` or `$&` is not expanded.
  const values: Record<string, string> = { app, code }
  const fill = (text: string) => text.replace(/\{(app|code)\}/g, (_, name: string) => values[name] ?? '')
  const { subject, intro, lifetime, ignore } = mailTexts[language]
  const paragraph = (text: string) => `<p>${escapeHtml(fill(text))}</p>`
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return {
    to,
    language,
    subject: fill(subject),
    text: `${fill(intro)}\n\n    ${code}\n\n${lifetime} ${ignore}\n`,
    html: [
      `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>${escapeHtml(fill(subject))}</title></head>`,
      '<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#14202b;background:#ffffff;padding:24px">',
      paragraph(intro),
      `<p dir="ltr" style="font-size:28px;font-weight:600;letter-spacing:4px;text-align:start">${code}</p>`,
      paragraph(lifetime),
      `<p style="color:#4a5866">${escapeHtml(ignore)}</p>`,
      '</body></html>',
    ].join('\n'),
  }
}
