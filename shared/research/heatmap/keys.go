package heatmap

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#study#<id>#heatmaps  <message>#<digest of the asset key>   the analysis of a picture (row)
//	w#<ws>#heatmap#<job>        c#<piece>                             what the Minds of a piece said (piece)
//
// The row is the key of the operation (M-230): there is one for a picture of a message,
// and another start joins it or reads its result.

func studyPK(ws, study string) string {
	return account.WorkspacePrefix(ws) + "study#" + study + "#heatmaps"
}

func rowKey(ws, study, message, asset string) records.Key {
	sum := sha256.Sum256([]byte(asset))
	return records.Key{PK: studyPK(ws, study), SK: message + "#" + hex.EncodeToString(sum[:16])}
}

func jobPK(ws, job string) string { return account.WorkspacePrefix(ws) + "heatmap#" + job }

func pieceKey(ws, job string, n int) records.Key {
	return records.Key{PK: jobPK(ws, job), SK: fmt.Sprintf("c#%05d", n)}
}

// prefix is where the results of a job are kept.
func prefix(ws, job string) string { return "w/" + ws + "/heatmaps/" + job }
