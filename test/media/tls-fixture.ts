/** A self-signed certificate for files.example.test, valid from 2020 to 2120. It protects nothing: it exists for these tests only. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBejCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJmaWxlcy5l
eGFtcGxlLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEmZpbGVzLmV4YW1wbGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABI5DqE8vXtgPpb9+XKq8Ji2uhGByLFmxmMdCBai37ljw+okjnQyCnDmv
BVWo88u8vh/JfT+Osmo3HBowlVQT+KWjTjBMMB0GA1UdEQQWMBSCEmZpbGVzLmV4
YW1wbGUudGVzdDAMBgNVHRMEBTADAQH/MB0GA1UdDgQWBBR2z4EfM5nUqW/7DDRv
ldFodq1OfDAKBggqhkjOPQQDAgNJADBGAiEAvJYMVApUvkBt4zx5VT6R0fQBE8j1
FTwTD6oe5qg/2/ACIQDMJdMl1JpyCkrIM9wuuKtbY1RmSH2OL7iDK3jPwxmquQ==
-----END CERTIFICATE-----`;

export const testPrivateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgt8oIfUPUD54kEizv
OMN9p4/qnqi+vlZoa+Llkygk0x+hRANCAASOQ6hPL17YD6W/flyqvCYtroRgcixZ
sZjHQgWot+5Y8PqJI50Mgpw5rwVVqPPLvL4fyX0/jrJqNxwaMJVUE/il
-----END PRIVATE KEY-----`;
