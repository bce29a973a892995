package fetch

import "net/netip"

// Public tells whether an address is global unicast and meant for everybody
// (M-112; the lists are IANA's special-purpose address registries, RFC 6890).
// IPv4 inside IPv6 is judged by the IPv4 address.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	refused := refused4
	if a.Is6() {
		if !global6.Contains(a) {
			return false
		}
		refused = refused6
	}
	for _, p := range refused {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
	global6 = netip.MustParsePrefix("2000::/3") // all that was ever given out

	refused4 = prefixes(
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"168.63.129.16/32", // public by number, but the host's own service inside Azure
	)
	refused6 = prefixes(
		"2001::/23",     // protocol assignments, Teredo (2001::/32) among them
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4, which may hide any IPv4 address
		"3fff::/20",     // documentation
	)
)

func prefixes(list ...string) (all []netip.Prefix) {
	for _, s := range list {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}
