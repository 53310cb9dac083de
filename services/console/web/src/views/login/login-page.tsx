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

/** Signing in: a passkey, or the password and then the second factor or its set-up; then the page that was asked for. */
export function LoginPage() {
  const { next } = useSearch({ from: '/login' })
  const [step, setStep] = useState<Step>('password')
  const enter = () => location.assign(`/console${next ?? '/'}`)
  const goOn = (state: SignInState) => (state === 'full' ? enter() : setStep(state))
  // A sign-in that was begun in this browser goes on where it stood.
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
