import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { BlockList } from 'node:net'
import { type AsnResponse, type CountryResponse, Reader } from 'mmdb-lib'
import { blockList, isIn } from '../domain/ip/address.ts'
import { alpha2ToAlpha3 } from '../domain/ip/alpha2-to-alpha3.ts'
import type { AddressFacts } from '../domain/ip/ip-check.ts'

export interface AddressDatabaseFiles {
  /** MaxMind DB (`.mmdb`) of countries; defaults to the one in the package. */
  readonly country?: string | undefined
  /** MaxMind DB of networks (ASN); without it `asn` is null. */
  readonly asn?: string | undefined
  /** Text files with one CIDR block or address per line; `#` starts a comment. */
  readonly hostingRanges?: string | undefined
  readonly anonymizerRanges?: string | undefined
}

/** Databases in the MaxMind format store the country code under different keys. */
type CountryRecord = CountryResponse & { country_code?: string }

/** Looks addresses up in local files only; no request leaves this machine. */
export class AddressDatabase {
  readonly #countries: Reader<CountryRecord>
  readonly #networks: Reader<AsnResponse> | null
  readonly #hosting: BlockList
  readonly #anonymizers: BlockList

  private constructor(
    countries: Reader<CountryRecord>,
    networks: Reader<AsnResponse> | null,
    hosting: BlockList,
    anonymizers: BlockList,
  ) {
    this.#countries = countries
    this.#networks = networks
    this.#hosting = hosting
    this.#anonymizers = anonymizers
  }

  /** Rejects when a configured file cannot be read or parsed. */
  static async open(files: AddressDatabaseFiles): Promise<AddressDatabase> {
    const shipped = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
    const [country, asn, hosting, anonymizers] = await Promise.all([
      readFile(files.country ?? createRequire(import.meta.url).resolve(shipped)),
      files.asn ? readFile(files.asn) : null,
      readRanges(files.hostingRanges),
      readRanges(files.anonymizerRanges),
    ])
    return new AddressDatabase(
      new Reader<CountryRecord>(country),
      asn && new Reader<AsnResponse>(asn),
      hosting,
      anonymizers,
    )
  }

  /** `address` is a valid IPv4 or IPv6 address. */
  lookUp(address: string): AddressFacts {
    const record = this.#countries.get(address)
    const code = record?.country_code ?? record?.country?.iso_code ?? record?.registered_country?.iso_code
    return {
      country: code ? alpha2ToAlpha3(code) : null,
      asn: this.#networks?.get(address)?.autonomous_system_number ?? null,
      hosting: isIn(this.#hosting, address),
      anonymizer: isIn(this.#anonymizers, address),
    }
  }
}

async function readRanges(path: string | undefined): Promise<BlockList> {
  if (path === undefined) return blockList([])
  const text = await readFile(path, 'utf8')
  return blockList(
    text
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((line) => line !== ''),
  )
}
