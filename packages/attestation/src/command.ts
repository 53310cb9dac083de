import { verifyReceiptCommand } from './verify-receipt-command.ts'

process.exitCode = await verifyReceiptCommand(process.argv.slice(2))
