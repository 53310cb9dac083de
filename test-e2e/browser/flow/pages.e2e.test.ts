import { describe } from '@jest/globals'
import { cameraHelp } from './camera-help.suite.ts'
import { files } from './files.suite.ts'
import { chromiumPath } from './harness.ts'
import { links } from './links.suite.ts'
import { liveness } from './liveness.suite.ts'
import { mail } from './mail.suite.ts'
import { network } from './network.suite.ts'
import { useFlowWorld } from './world.ts'

// Starting the system takes longer than most of these tests, so they share one.
const world = useFlowWorld('X0Y1Z2F22')
const inBrowser = chromiumPath ? describe : describe.skip

inBrowser('the hosted flow', () => {
  links(world)
  cameraHelp(world)
  files(world)
  network(world)
  mail(world)
  liveness(world)
})
