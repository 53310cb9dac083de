// Every overlay must define its public settings: where client addresses come from, and a host name for each
// application.

const documents = (rendered) => rendered.split(/^---$/m)
const settingOf = (document, name) =>
  new RegExp(`^ {2}${name}: (.+)$`, 'm').exec(document)?.[1]?.replace(/^"(.*)"$/, '$1') ?? ''

/** Returns the problems of a rendered overlay. */
export function checkPublicSide(rendered) {
  const problems = []
  const settings = documents(rendered).find((text) => /^ {2}name: kyc-settings$/m.test(text)) ?? ''
  if (settingOf(settings, 'TRUSTED_PROXIES') === '')
    problems.push(
      'TRUSTED_PROXIES is not set: the gateway would not start, or all people would share one address',
    )

  const names = ['PUBLIC_URL', 'FLOW_URL', 'CONSOLE_URL']
  const urls = names.map((name) => settingOf(settings, name))
  for (const [index, url] of urls.entries())
    if (!URL.canParse(url)) problems.push(`${names[index]}: ${url} is no URL`)
  if (problems.length > 0) return problems
  const hosts = urls.map((url) => new URL(url).hostname)
  if (new Set(hosts).size < hosts.length)
    problems.push(`${names.join(', ')} share a host name: ${hosts.join(', ')}`)

  const ingress = documents(rendered).find((text) => /^kind: Ingress$/m.test(text))
  if (!ingress) return problems
  const routed = [...ingress.matchAll(/^ {2}- host: (\S+)$/gm)].map(([, host]) => host)
  const certified = [...ingress.matchAll(/^ {4}- (\S+)$/gm)].map(([, host]) => host)
  for (const host of hosts) {
    if (!routed.includes(host)) problems.push(`the ingress does not route ${host}`)
    if (!certified.includes(host)) problems.push(`the ingress has no certificate for ${host}`)
  }
  return problems
}
