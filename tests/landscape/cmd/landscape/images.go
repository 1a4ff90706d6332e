package main

import (
	"encoding/json"
	"fmt"

	"landscape/internal/servers"
)

// The images that a CloudProfile of Alibaba Cloud names by their ids.
func imagesOf(profile map[string]any) ([]servers.Image, error) {
	var read struct {
		Spec struct {
			ProviderConfig struct {
				MachineImages []struct {
					Name     string
					Versions []struct {
						Regions []struct{ Name, ID string }
					}
				}
			}
		}
	}
	text, err := json.Marshal(profile)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("the images of the CloudProfile: %w", err)
	}
	var images []servers.Image
	for _, image := range read.Spec.ProviderConfig.MachineImages {
		for _, version := range image.Versions {
			for _, region := range version.Regions {
				images = append(images, servers.Image{ID: region.ID, Name: image.Name, Region: region.Name})
			}
		}
	}
	return images, nil
}
