import { notFound } from '@kyc/common'
import { randomText } from '@kyc/runtime'
import { deleteResets } from '../store/links.ts'
import { removeSecondFactors } from '../store/second-factors.ts'
import { endSignIns } from '../store/sign-ins.ts'
import { changeUser, findUserByEmail, setPassword } from '../store/users.ts'
import { type Actor, audit, type Operations } from './context.ts'
import { hashPassword } from './passwords.ts'

const recovery: Actor = { type: 'system', id: 'recovery', ip: null }

/**
 * For an operator with access to the machine, when no owner can sign in any more. Sets a new password, removes the second
 * factor (to be enrolled at the next sign-in) and ends all sessions. `not_found` unless the address is an owner's.
 */
export async function recoverOwner(
  { database, clock }: Operations,
  email: string,
): Promise<{ email: string; password: string }> {
  const password = randomText(24)
  const hash = await hashPassword(password)
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (user?.role !== 'owner') throw notFound('owner')
    await setPassword(tx, user.id, hash)
    await changeUser(tx, user.id, { ...user, disabled_at: null })
    await removeSecondFactors(tx, user.id)
    await endSignIns(tx, user.id, clock.now())
    await deleteResets(tx, user.id)
    await audit(tx, clock, recovery, { app_id: null, action: 'user.recovered', target: user.id })
    return { email: user.email, password }
  })
}
