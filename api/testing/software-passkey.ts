import { createHash, generateKeyPairSync, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Prompt = { challenge: string; origin: string; site?: string; isVerified?: boolean }

/** An authenticator as browsers present it (WebAuthn, ES256, no attestation). */
export function softwarePasskey(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = sha256(name)
  /** Uses so far, which each use adds one to. */
  const state = { counter: 0 }

  /** COSE: an EC2 key for ES256 on P-256. */
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

  function authenticatorData({ origin, site, isVerified = true }: Prompt, credential?: Buffer) {
    const flags =
      USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    const siteHash = sha256(site ?? new URL(origin).hostname)
    return Buffer.concat([siteHash, Buffer.of(flags), counter, credential ?? Buffer.of()])
  }

  const clientData = (type: string, { challenge, origin }: Prompt) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const credential = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id: base64url(id),
    state,
    create(prompt: Prompt) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, coseKey])
      const data = authenticatorData(prompt, attested)
      // CBOR: {fmt: 'none', attStmt: {}, authData: …}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.of(data.length),
        data,
      ])
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', prompt)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      })
    },
    use(prompt: Prompt) {
      state.counter += 1
      const data = authenticatorData(prompt)
      const client = clientData('webauthn.get', prompt)
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      })
    },
  }
}
