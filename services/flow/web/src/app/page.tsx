import type { FlowStep } from '@kyc/common'
import { HandoffPage } from '../screens/handoff.tsx'
import { HandoffCodePage } from '../screens/handoff-code.tsx'
import { LinkPage } from '../screens/link.tsx'
import { LoadErrorPage, LoadingPage } from '../screens/loading.tsx'
import { ProcessingPage } from '../screens/processing.tsx'
import { ResultPage } from '../screens/result.tsx'
import { SubmitPage } from '../screens/submit.tsx'
import { WelcomePage } from '../screens/welcome.tsx'
import { StepPage } from '../steps/registry.tsx'
import type { View } from './view.ts'

/** The page of a view. Each step has its own key, so that it never inherits component state from another step. */
export function Page({ view, skipped }: { view: View; skipped: readonly FlowStep[] }) {
  switch (view.kind) {
    case 'loading':
      return <LoadingPage />
    case 'load_error':
      return <LoadErrorPage reason={view.reason} />
    case 'link':
      return <LinkPage link={view.link} />
    case 'handoff_code':
      return <HandoffCodePage />
    case 'welcome':
      return <WelcomePage />
    case 'handoff':
      return <HandoffPage />
    case 'step':
      return <StepPage key={view.step} step={view.step} />
    case 'submit':
      return <SubmitPage skipped={skipped} />
    case 'processing':
      return <ProcessingPage />
    case 'result':
      return <ResultPage result={view.result} />
  }
}
