package restapi

import "context"

func deleteStudy(ctx context.Context, c *call) (reply, error) {
	return nothing(c.Studies.Delete(ctx, c.id("studyId")))
}

func attachStudyAudiences(ctx context.Context, c *call) (reply, error) {
	var in struct {
		AudienceIDs []string `json:"audienceIds"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	out, err := c.Studies.Attach(ctx, c.id("studyId"), in.AudienceIDs)
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}

// describeAttach adds the scope that the contract leaves open.
func describeAttach(o *agreed) { o.Scope = "flows:write" }

func updateStudySharing(ctx context.Context, c *call) (reply, error) {
	var in struct {
		On bool `json:"isLinkSharingEnabled"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	out, err := c.Studies.ShareLink(ctx, c.id("studyId"), in.On)
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}
