package dynamo

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Names of the two indexes of a table. (DynamoDB wants at least three letters.)
const (
	IndexG1 = "g1index"
	IndexG2 = "g2index"
)

// TableSchema describes a table for CreateTable, paid by request. The
// idempotency table is read by key only and has no indexes. The TTL attribute
// is records.AttrExpires; DynamoDB wants a call of its own for it.
func TableSchema(name string, t records.Table) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest}
	attr := func(name string) {
		in.AttributeDefinitions = append(in.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS})
	}
	keys := func(pk, sk string) []types.KeySchemaElement {
		attr(pk)
		attr(sk)
		return []types.KeySchemaElement{
			{AttributeName: aws.String(pk), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(sk), KeyType: types.KeyTypeRange},
		}
	}
	in.KeySchema = keys(records.AttrPK, records.AttrSK)
	if t == records.Idempotency {
		return in
	}
	for _, ix := range [...]struct{ name, pk, sk string }{
		{IndexG1, records.AttrG1PK, records.AttrG1SK}, {IndexG2, records.AttrG2PK, records.AttrG2SK},
	} {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String(ix.name), KeySchema: keys(ix.pk, ix.sk),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		})
	}
	return in
}
