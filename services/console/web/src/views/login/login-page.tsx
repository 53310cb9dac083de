import type { SignInState } from '@kyc/common'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { queryClient } from '../../api/query-client.ts'
import { Enrolment } from './enrolment.tsx'
import { ForgottenPassword } from './forgotten-password.tsx'
import { Password } from './password-step.tsx'
import { SecondFactor } from './second-factor-step.tsx'

type Step = 'password' | 'forgotten' | Exclude<SignInState, 'full'>

/** Signs in with a passkey, or with password and second factor or its set-up; then opens the requested page. */
export function LoginPage() {
  const { next } = useSearch({ from: '/login' })
  const [step, setStep] = useState<Step>('password')
  const enter = () => location.assign(`/console${next ?? '/'}`)
  const goOn = (state: SignInState) => (state === 'full' ? enter() : setStep(state))
  // Continues a sign-in that was started in this browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once, when the page opens
  useEffect(() => {
    queryClient.fetchQuery({ ...accountQuery, retry: false }).then(
      ({ state }) => goOn(state),
      () => {},
    )
  }, [])
  switch (step) {
    case 'password':
      return <Password onDone={goOn} onForgotten={() => setStep('forgotten')} />
    case 'forgotten':
      return <ForgottenPassword onBack={() => setStep('password')} />
    case 'second_factor':
      return <SecondFactor onDone={goOn} />
    case 'enrolment':
      return <Enrolment onDone={enter} />
  }
}
