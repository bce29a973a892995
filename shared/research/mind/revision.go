package mind

import (
	"slices"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// Learn makes a content what the Mind knows by an item, in place of what it knew
// by it before. An item that is new with the job of a refresh waits for the new
// version; one that the present version knows is replaced there too, since what
// it stood for is gone (M-23).
func (m *Mind) Learn(jobID string, ref KnowledgeRef) {
	known := slices.ContainsFunc(m.Knowledge, func(k KnowledgeRef) bool { return k.ItemID == ref.ItemID })
	if refreshing := m.Pending != nil && m.Owns(jobID); refreshing {
		p := *m.Pending
		p.Knowledge = append(without(p.Knowledge, ref.ItemID), ref)
		m.Pending = &p
		if !known {
			return
		}
	}
	m.Knowledge = append(without(m.Knowledge, ref.ItemID), ref)
	m.KnowledgeVersion++
}

// Unlearn takes away what the Mind knows by an item.
func (m *Mind) Unlearn(itemID string) {
	if m.Pending != nil {
		p := *m.Pending
		p.Knowledge = without(p.Knowledge, itemID)
		m.Pending = &p
	}
	if left := without(m.Knowledge, itemID); len(left) < len(m.Knowledge) {
		m.Knowledge = left
		m.KnowledgeVersion++
	}
}

// without is a copy of refs that leaves an item out.
func without(refs []KnowledgeRef, itemID string) []KnowledgeRef {
	return slices.DeleteFunc(slices.Clone(refs), func(k KnowledgeRef) bool { return k.ItemID == itemID })
}

// WillKnow is what the Mind knows once a training that runs is done.
func (m Mind) WillKnow() []KnowledgeRef { return m.revised().Knowledge }

// revised is the Mind with its pending version in force.
func (m Mind) revised() Mind {
	p := m.Pending
	if p == nil {
		return m
	}
	m.Pending = nil
	set(&m.Name, p.Name)
	set(&m.Description, p.Description)
	set(&m.Discipline, p.Discipline)
	set(&m.PersonaContext, p.PersonaContext)
	if p.Identity != nil {
		m.Identity = p.Identity
	}
	if p.Evidence != nil {
		m.Evidence = p.Evidence
	}
	m.PersonaContext = m.Identity.Hold(m.PersonaContext)
	if p.Keywords != nil {
		m.Keywords = *p.Keywords
	}
	had := m.Knowledge
	if p.Forget {
		m.Knowledge = nil
	}
	for _, k := range p.Knowledge {
		m.Knowledge = append(without(m.Knowledge, k.ItemID), k)
	}
	for _, k := range had {
		if !slices.ContainsFunc(m.Knowledge, func(n KnowledgeRef) bool { return n.ItemID == k.ItemID }) {
			m.Retired = append(slices.Clone(m.Retired), k.ItemID)
		}
	}
	m.KnowledgeVersion++
	return m
}

// Revision is a new version of a Mind that Refresh trains while the present one
// goes on answering. What is nil stays.
type Revision struct {
	Description    *string   `json:"description,omitempty"`
	Discipline     *string   `json:"discipline,omitempty"`
	PersonaContext *string   `json:"personaContext,omitempty"`
	Keywords       *[]string `json:"keywords,omitempty"`
	// Of a member of a cohort that stands for another segment now: who it is, and
	// what its Audience answers from.
	Name     *string    `json:"name,omitempty"`
	Identity *Identity  `json:"identity,omitempty"`
	Evidence *blobs.Ref `json:"evidence,omitempty"`
	// Forget drops the knowledge of the present version with the commit of the
	// new one: only what this training gathers is kept.
	Forget bool `json:"forget,omitempty"`
	// Redraw makes a new portrait.
	Redraw bool `json:"redraw,omitempty"`
}
